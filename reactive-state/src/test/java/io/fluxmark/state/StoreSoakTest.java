package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ten commits a second over a large state, for as long as {@code -Dfluxmark.soak.seconds} says: the file stays small, and no
 * commit pauses for long, beside bare fsyncs on the same disk. Without it, a few hundred commits over a small state as fast
 * as they go, where only the size of the file is held to anything.
 */
class StoreSoakTest {

    private static final int SECONDS = Integer.getInteger("fluxmark.soak.seconds", 0);
    private static final boolean SOAK = SECONDS > 0;
    private static final int MEGABYTES = Integer.getInteger("fluxmark.soak.megabytes", SOAK ? 50 : 4);
    private static final int COMMITS_PER_SECOND = 10;
    private static final int COMMITS = SOAK ? SECONDS * COMMITS_PER_SECOND : 300;
    private static final int CHANGES = 100;
    private static final int VALUE_BYTES = 92;
    private static final int ENTRY_BYTES = Long.BYTES + VALUE_BYTES;
    private static final int ENTRIES = MEGABYTES * 1_000_000 / ENTRY_BYTES;
    private static final int FILL = 20_000;
    private static final int FSYNC_EACH = 10;
    private static final long SEED = 50;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Histogram pauses = new Histogram(3);
    private final Histogram fsyncs = new Histogram(3);
    private long largest;
    private long late;

    @Test
    void theFileStaysWithinFourTimesItsLiveDataAndNoCommitPausesForLong() throws IOException {
        try (StateStore store = Stores.open(directory.resolve("store"));
                FileChannel bare = FileChannel.open(
                        directory.resolve("bare"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            LaneSession session = Stores.lane(store, 0);
            fill(session);
            Flux<Long> pace = SOAK
                    ? Flux.interval(Duration.ofMillis(1000 / COMMITS_PER_SECOND))
                            .onBackpressureDrop(dropped -> late++)
                            .take(COMMITS)
                    : Flux.range(0, COMMITS).map(Long::valueOf);
            pace.concatMap(number -> commit(session, number)
                            .doOnNext(commit -> {
                                pauses.recordValue(TimeUnit.NANOSECONDS.toMicros(commit.busyNanos()));
                                if (number % FSYNC_EACH == 0) {
                                    fsync(bare);
                                }
                            })
                            .then(store.info()))
                    .doOnNext(info -> largest = Math.max(largest, info.fileBytes()))
                    .blockLast(Duration.ofSeconds(2L * SECONDS + 300));
        }
        long live = (long) ENTRIES * ENTRY_BYTES;
        System.out.printf(
                "soak: %d commits of %d random entries, %s, over %d MB, seed %d: file at most %.1f MB (%.2f x),"
                        + " pause p50 %.1f p99 %.1f p99.9 %.1f max %.1f ms, bare fsync p50 %.1f p99.9 %.1f max %.1f ms,"
                        + " %d beats missed%n",
                COMMITS,
                CHANGES,
                SOAK ? COMMITS_PER_SECOND + " a second" : "as fast as they go",
                MEGABYTES,
                SEED,
                largest / 1e6,
                (double) largest / live,
                millis(pauses, 50),
                millis(pauses, 99),
                millis(pauses, 99.9),
                millis(pauses, 100),
                millis(fsyncs, 50),
                millis(fsyncs, 99.9),
                millis(fsyncs, 100),
                late);
        assertThat(largest).as("bytes of the file").isLessThanOrEqualTo(4 * live);
        if (SOAK) {
            assertThat(millis(pauses, 99.9))
                    .as("p99.9 of the pause of a commit, ms")
                    .isLessThanOrEqualTo(250);
        }
    }

    private void fill(LaneSession session) {
        for (int from = 0; from < ENTRIES; from += FILL) {
            LaneTransaction transaction = session.begin();
            for (int key = from; key < Math.min(ENTRIES, from + FILL); key++) {
                put(transaction, key);
            }
            Stores.await(session.submit(transaction));
        }
    }

    private Mono<StoreCommit> commit(LaneSession session, long number) {
        LaneTransaction transaction = session.begin();
        for (int i = 0; i < CHANGES; i++) {
            put(transaction, random.nextInt(ENTRIES));
        }
        transaction.lane("offset", Stores.bytes(number));
        return session.submit(transaction);
    }

    private void put(LaneTransaction transaction, int key) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        transaction.put(StoreTable.STATE, Stores.bytes(key), value);
    }

    /** What the disk itself takes for a block. */
    private void fsync(FileChannel bare) {
        long began = System.nanoTime();
        try {
            bare.write(ByteBuffer.allocate(4096), bare.size());
            bare.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        fsyncs.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began));
    }

    private static double millis(Histogram of, double percentile) {
        return of.getValueAtPercentile(percentile) / 1e3;
    }
}
