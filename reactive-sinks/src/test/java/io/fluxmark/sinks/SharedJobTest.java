package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.GroupDescription;
import io.fluxmark.sinks.SharedFixture.Member;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Jobs whose lanes are shared by the members of a group, on real threads. */
class SharedJobTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 6;
    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 300 : 15;
    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(50).orEvery(Duration.ofMillis(20));

    @TempDir
    Path directory;

    private EventLog log;
    private StateStore store;
    private SharedFixture job;
    private ConsumerGroup group;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(PATIENCE);
        store = StateStore.open(directory.resolve("state")).block(PATIENCE);
        job = new SharedFixture(log, store, "t", PARTITIONS);
        group = log.group("g");
    }

    @AfterEach
    void close() {
        store.close();
        log.close();
    }

    private static void until(BooleanSupplier holds) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private JobStatus status(String name) {
        return JobStatus.read(store, name, job.plain()).block(PATIENCE);
    }

    private void untilRead() {
        until(() -> status("t").lag() == 0);
    }

    private void assertAsAlone() {
        CheckpointSpec drained = SPEC.drainWhen(Mono.empty());
        job.alone("t", drained).blockLast(PATIENCE);
        job.alone("alone", drained).blockLast(PATIENCE);
        assertThat(job.rows("t").collectList().block(PATIENCE))
                .isEqualTo(job.rows("alone").collectList().block(PATIENCE));
        assertThat(job.emissions("t").collectList().block(PATIENCE))
                .isEqualTo(job.emissions("alone").collectList().block(PATIENCE));
        assertThat(status("t").lanes().stream()
                        .mapToLong(lane -> lane.counts().get(Counter.INGESTED))
                        .sum())
                .isEqualTo(job.appended());
    }

    @Test
    void twoMembersShareTheLanesAndTheSecondTakesOverWhatTheFirstGivesUp() {
        job.append(500, new Random(1));
        Member first = job.join(group, SPEC);
        untilRead();
        Member second = job.join(group, SPEC);
        until(() -> members().size() == 2
                && members().stream().allMatch(member -> member.partitions().size() == PARTITIONS / 2));
        job.append(500, new Random(2));
        untilRead();
        first.stop();
        until(first::isOver);
        assertThat(first.failure()).isNull();
        job.append(500, new Random(3));
        untilRead();
        second.stop();
        until(second::isOver);
        assertThat(second.failure()).isNull();
        assertAsAlone();
    }

    private List<GroupDescription.Member> members() {
        return group.describe().block(PATIENCE).members();
    }

    @Test
    void theGroupIsToldHowFarTheJobIs() {
        job.append(500, new Random(4));
        Member member = job.join(group, SPEC);
        until(() -> {
            List<GroupDescription.Progress> progress =
                    group.describe().block(PATIENCE).partitions();
            return progress.size() == PARTITIONS
                    && progress.stream().allMatch(partition -> partition.committed() == partition.end());
        });
        member.stop();
        until(member::isOver);
    }

    @Test
    void aJobThatIsSharedRunsNeitherAloneNorForAnotherGroupBesides() {
        Member member = job.join(group, SPEC);
        assertThatThrownBy(() -> job.alone("t", SPEC).blockLast(PATIENCE)).hasMessageContaining("assignedBy");
        Member other = job.join(log.group("other"), SPEC);
        until(other::isOver);
        assertThat(other.failure()).hasMessageContaining("already running");
        member.stop();
        until(member::isOver);
        assertThat(member.failure()).isNull();
    }

    @Test
    void whatCannotBeSharedIsRefusedAtAssembly() {
        assertThatThrownBy(() -> job.join(group, SPEC.drainWhen(Mono.never())))
                .hasMessageContaining("drain it without assignedBy");
        assertThatThrownBy(() -> LogSource.of(job.topic)
                        .assignedBy(group)
                        .watermarksMillis(
                                text -> 0, io.fluxmark.windows.WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                        .keyBy(text -> text)
                        .window(io.fluxmark.windows.WindowSpec.tumbling(Duration.ofSeconds(1)))
                        .aggregate(io.fluxmark.windows.Aggregations.counting())
                        .writeTo(TransactionalSink.table(store, "x"), SPEC.named("x")))
                .hasMessageContaining("one lane over all partitions");
    }

    @Test
    void aJobThatWasDrainedIsNotShared() {
        job.append(10, new Random(5));
        job.alone("t", SPEC.drainWhen(Mono.empty())).blockLast(PATIENCE);
        Member member = job.join(group, SPEC);
        until(member::isOver);
        assertThat(member.failure()).hasMessageContaining("was drained");
    }

    @Test
    void membersThatComeAndGoOnRealThreadsLoseNothingAndDoubleNothing() {
        long seed = 49;
        Random random = new Random(seed);
        List<Member> members = new ArrayList<>();
        List<Member> ended = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            job.append(200 + random.nextInt(400), random);
            while (members.size() < 1 + random.nextInt(3)) {
                members.add(job.join(group, SPEC));
            }
            if (random.nextInt(3) == 0) {
                untilRead(); // else whoever ends is in the midst of it
            } else {
                long lag = status("t").lag();
                long goal = lag - Math.min(lag, random.nextInt(300));
                until(() -> status("t").lag() <= goal);
            }
            if (random.nextInt(4) != 0) {
                Member ending = members.remove(random.nextInt(members.size()));
                ended.add(ending);
                switch (random.nextInt(3)) {
                    case 0 -> ending.cancel();
                    case 1 -> ending.stop();
                    default -> {
                        ending.breakDown();
                        job.append(100, random);
                        ending.stop();
                    }
                }
            }
        }
        if (members.isEmpty()) {
            members.add(job.join(group, SPEC));
        }
        untilRead();
        members.forEach(Member::stop);
        until(() -> members.stream().allMatch(Member::isOver));
        assertThat(members).allMatch(member -> member.failure() == null);
        until(() -> members().isEmpty() && ended.stream().allMatch(Member::isOver));
        System.out.printf(
                "shared job on real threads: %d rounds, %d records, %d members ended, %d rebalances, seed %d%n",
                ROUNDS, job.appended(), ended.size(), group.rebalances(), seed);
        assertAsAlone();
    }
}
