package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.GroupOffsets;
import io.fluxmark.log.GroupSpec;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.MemberFencedException;
import io.fluxmark.log.OffsetStore;
import io.fluxmark.log.PartitionId;
import io.fluxmark.log.RebalanceProtocol;
import io.fluxmark.sinks.SharedFixture.Member;
import io.fluxmark.state.StaleGenerationException;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.state.TransactionRefusedException;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * S49: members of a group that join, stop, are cancelled, fail, and are fenced while the store stands still, at random moments of
 * a virtual clock, over records that producers have sent up to three times. What the shared job leaves is byte for byte what one
 * that ran alone leaves.
 */
class SharedJobScheduleTest {

    private static final int SCHEDULES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 300 : 8;
    private static final long SEED = 495_300;
    private static final int MOST_MEMBERS = 4;
    private static final Duration REVOKE = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    /** Also what the log answers on, which is not to be chosen: nothing here runs on a thread of its own. */
    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();

    private final HeldStore held = new HeldStore();
    private EventLog log;
    private StateStore store;

    private long records;
    private long rebalances;
    private long fenced;
    private long broken;
    private long refused;
    private long cancelled;

    /** Runs what the store has to do on the spot, or keeps it while it is held. */
    private static final class HeldStore implements Executor {
        private final Queue<Runnable> kept = new ArrayDeque<>();
        private boolean held;

        @Override
        public void execute(Runnable task) {
            if (held) {
                kept.add(task);
            } else {
                task.run();
            }
        }

        void release() {
            held = false;
            while (!kept.isEmpty()) {
                kept.remove().run();
            }
        }
    }

    /** Keeps offsets on the thread that brings them, so that nothing waits for real time. */
    private static final class MemoryOffsets implements OffsetStore {
        private final Map<String, GroupOffsets> groups = new HashMap<>();

        @Override
        public Flux<String> groups() {
            return Flux.fromIterable(groups.keySet());
        }

        @Override
        public Mono<GroupOffsets> load(String group) {
            return Mono.justOrEmpty(groups.get(group));
        }

        @Override
        public Mono<Void> commit(GroupOffsets changes) {
            return Mono.fromRunnable(() -> groups.merge(changes.group(), changes, (before, now) -> {
                SortedMap<PartitionId, Long> offsets = new TreeMap<>(before.offsets());
                offsets.putAll(now.offsets());
                return new GroupOffsets(now.group(), now.generation(), offsets);
            }));
        }

        @Override
        public Mono<Void> remove(String group) {
            return Mono.fromRunnable(() -> groups.remove(group));
        }
    }

    @AfterEach
    void resetSchedulers() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void c53RecordsOfAPartitionThatMovesAreCountedOnceInEverySchedule() {
        log = await(EventLog.open(
                        directory.resolve("log"),
                        LogSpec.defaults()
                                .clock(time)
                                .readScheduler(time)
                                .durability(Durability.OS)
                                .writerExecutor(Runnable::run)))
                .get(0);
        store = await(StateStore.open(
                        directory.resolve("state"),
                        StoreSpec.defaults().executor(held).scheduler(time)))
                .get(0);
        try {
            for (int i = 0; i < SCHEDULES; i++) {
                new Schedule(i).run();
            }
        } finally {
            store.close();
            log.close();
        }
        System.out.printf(
                "shared jobs: %d schedules, both protocols, %d records, %d rebalances, %d members cancelled, %d failed,"
                        + " %d fenced, %d refused by the store, seed %d%n",
                SCHEDULES, records, rebalances, cancelled, broken, fenced, refused, SEED);
        assertThat(broken).isPositive();
        assertThat(fenced).isPositive();
        assertThat(cancelled).isPositive();
    }

    /** Lets time pass until it has completed. */
    private <T> List<T> await(Publisher<T> publisher) {
        Mono<List<T>> all = Flux.from(publisher).collectList().cache();
        boolean[] over = new boolean[1];
        all.subscribe(values -> over[0] = true, error -> over[0] = true);
        passUntil(() -> over[0]);
        return all.block(Duration.ofSeconds(1));
    }

    private void pass(long millis) {
        time.advanceTimeBy(Duration.ofMillis(millis));
    }

    private void passUntil(BooleanSupplier holds) {
        for (int i = 0; i < 100_000 && !holds.getAsBoolean(); i++) {
            pass(1);
        }
        assertThat(holds.getAsBoolean()).as("in time").isTrue();
    }

    private final class Schedule {

        private final Random random;
        private final SharedFixture job;
        private final ConsumerGroup group;
        private final List<Member> members = new ArrayList<>();

        Schedule(int number) {
            random = new Random(SEED + number);
            job = new SharedFixture(log, store, "t" + number, 1 + random.nextInt(5));
            group = log.group(
                    "g" + number,
                    GroupSpec.defaults()
                            .scheduler(time)
                            .offsetStore(new MemoryOffsets())
                            .protocol(random.nextBoolean() ? RebalanceProtocol.EAGER : RebalanceProtocol.COOPERATIVE)
                            .revokeTimeout(REVOKE));
        }

        void run() {
            for (int steps = 25 + random.nextInt(25); steps > 0; steps--) {
                step();
            }
            held.release();
            job.append(20, random);
            records += job.appended();
            members.forEach(Member::stop);
            passUntil(() -> members.stream().allMatch(Member::isOver));
            members.forEach(this::look);
            rebalances += group.rebalances();
            check();
        }

        private void step() {
            switch (random.nextInt(10)) {
                case 0, 1 -> join();
                case 2 -> some(Member::stop);
                case 3 ->
                    some(member -> {
                        member.cancel();
                        cancelled++;
                    });
                case 4 -> some(Member::breakDown);
                case 5, 6 -> job.append(1 + random.nextInt(20), random);
                case 7 -> {
                    if (held.held) {
                        held.release();
                    } else {
                        held.held = true;
                    }
                }
                case 8 -> standStill();
                default -> pass(random.nextInt(150));
            }
        }

        private void join() {
            members.removeIf(member -> {
                if (member.isOver()) {
                    look(member);
                }
                return member.isOver();
            });
            if (members.size() < MOST_MEMBERS) {
                members.add(job.join(
                        group,
                        CheckpointSpec.everyEvents(1 + random.nextInt(20))
                                .orEvery(Duration.ofMillis(50))
                                .scheduler(time)));
            }
        }

        /** Somebody joins while the store takes longer than may be waited for. */
        private void standStill() {
            held.held = true;
            join();
            pass(REVOKE.toMillis() + 1_000);
            held.release();
        }

        private void some(Consumer<Member> action) {
            if (!members.isEmpty()) {
                Member member = members.get(random.nextInt(members.size()));
                if (!member.isOver()) {
                    action.accept(member);
                }
            }
        }

        private void look(Member member) {
            Throwable failure = member.failure();
            if (failure instanceof MemberFencedException) {
                fenced++;
            } else if (failure instanceof StaleGenerationException || failure instanceof TransactionRefusedException) {
                refused++;
            } else if (failure != null) {
                assertThat(failure).hasMessage("broken");
                broken++;
            }
        }

        private void check() {
            CheckpointSpec drained =
                    CheckpointSpec.everyEvents(30).scheduler(time).drainWhen(Mono.empty());
            String other = job.name() + "-alone";
            await(job.alone(job.name(), drained));
            await(job.alone(other, drained));
            assertThat(await(job.rows(job.name()))).isEqualTo(await(job.rows(other)));
            assertThat(await(job.emissions(job.name())))
                    .as("everything ever emitted, in order per lane")
                    .isEqualTo(await(job.emissions(other)));
            JobStatus shared = status(job.name());
            JobStatus alone = status(other);
            assertThat(shared.lanes())
                    .extracting(JobStatus.Lane::counts)
                    .isEqualTo(
                            alone.lanes().stream().map(JobStatus.Lane::counts).toList());
            assertThat(shared.lanes().stream()
                            .mapToLong(lane -> lane.counts().get(Counter.INGESTED))
                            .sum())
                    .as("each record that was appended, once")
                    .isEqualTo(job.appended());
            assertThat(shared.lanes()).allMatch(lane -> lane.counts().sumHolds());
        }

        private JobStatus status(String name) {
            return await(JobStatus.read(store, name, job.plain())).get(0);
        }
    }
}
