package io.fluxmark.experiments.commitorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.state.LaneTransaction;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitOrdersTest {

    @TempDir
    private Path directory;

    @Test
    void aQuickRunWritesWhatItReportsAndTheAtomicCommitLeavesNothingWrong() throws Exception {
        List<String> text =
                new CommitOrders().measure(directory, Scale.QUICK, new PrintStream(OutputStream.nullOutputStream()));

        ReportedFigures.hold(text, directory);
        Table kills = Table.read(directory.resolve("E9-kills.csv"));
        System.out.println("E9 quick, kills by order: " + kills.rows());
        assertThat(kills.numbers("kills")).containsOnly(6.0);
        Table atomic = kills.where("order", "atomic");
        assertThat(atomic.number("duplicates") + atomic.number("gaps")).isZero();
        assertThat(kills.where("order", "state then offset").number("gaps")).isZero();
        assertThat(kills.where("order", "offset then state").number("duplicates"))
                .isZero();
        Table resent = Table.read(directory.resolve("E9-resent.csv"));
        assertThat(resent.texts("excess_percent")).containsExactly("2.00", "2.00", "2.00", "0.00", "0.00", "1.98");
        try (var files = Files.list(directory)) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }

    /** A stop between the two commits of a cycle: what the ledger is there to find. */
    @Test
    void aStopInBetweenIsFoundOnceInItsOrderAndNotAgain() {
        for (CommitOrder order : CommitOrder.values()) {
            Path place = directory.resolve(order.name());
            Ledger ledger = new Ledger(place, order);
            cycles(place, order, 3);
            assertThat(ledger.look()).isEqualTo(new Ledger.Difference(0, 0));
            try (CountStore store = CountStore.open(place)) {
                CountStore.Committed committed = store.read(order);
                if (order == CommitOrder.OFFSET_THEN_STATE) {
                    store.commitOffset(committed.offset() + 2);
                } else if (order == CommitOrder.STATE_THEN_OFFSET) {
                    LaneTransaction state = store.begin();
                    CountStore.put(state, 7, committed.counts()[7] + 2);
                    store.commit(state);
                }
            }
            Ledger.Difference expected =
                    switch (order) {
                        case STATE_THEN_OFFSET -> new Ledger.Difference(2, 0);
                        case OFFSET_THEN_STATE -> new Ledger.Difference(0, 2);
                        case ATOMIC -> new Ledger.Difference(0, 0);
                    };
            assertThat(ledger.look()).isEqualTo(expected);
            cycles(place, order, 2);
            assertThat(ledger.look()).isEqualTo(new Ledger.Difference(0, 0));
        }
    }

    private static void cycles(Path place, CommitOrder order, int cycles) {
        try (CountStore store = CountStore.open(place)) {
            Counting counting = new Counting(store, order, record -> record);
            for (int cycle = 0; cycle < cycles; cycle++) {
                counting.cycle();
            }
        }
    }

    @Test
    void twoInAHundredAreSentAgainAndTheRestOnce() {
        long arrivals = Resends.arrivals(40);
        Set<Long> different = new HashSet<>();
        for (long n = 0; n < arrivals; n++) {
            different.add(Resends.record(n));
        }
        assertThat(different).hasSize((int) Resends.different(arrivals));
        assertThat((double) (arrivals - different.size()) / different.size()).isEqualTo(0.02);
        assertThat(Dedupe.byId(arrivals, Duration.ofSeconds(5))).isEqualTo(different.size());
    }
}
