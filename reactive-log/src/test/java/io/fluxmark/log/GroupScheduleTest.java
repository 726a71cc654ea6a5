package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Members that join, leave, throw, dawdle and hang at random moments of a virtual clock, S49 and S50: what each holds when it gives up
 * a partition is where the next one begins.
 */
class GroupScheduleTest {

    private static final int SCHEDULES = Logs.thorough() ? 10_000 : 300;
    private static final int TOPICS = 12;
    private static final int RECORDS = 40;
    private static final long SEED = 4950;

    @TempDir
    Path directory;

    private long redelivered;
    private long fenced;
    private long refused;
    private long rebalances;
    private long thrown;

    @Test
    void whatIsCommittedIsEachOffsetOnceInEverySchedule() {
        try (GroupFixture fixture = new GroupFixture(directory)) {
            for (int t = 0; t < TOPICS; t++) {
                fixture.topic("t" + t, 1 + t % 6, RECORDS);
            }
            for (int i = 0; i < SCHEDULES; i++) {
                new Schedule(fixture, i).run();
            }
        }
        System.out.printf(
                "group schedules: %d, both protocols, %d rebalances, %d members fenced, %d failures thrown, %d acknowledgements refused,"
                        + " %d records handed out again, seed %d%n",
                SCHEDULES, rebalances, fenced, thrown, refused, redelivered, SEED);
        assertThat(fenced).isPositive();
        assertThat(refused).isPositive();
        assertThat(redelivered).isPositive();
        assertThat(thrown).isPositive();
    }

    private static final class UserFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What is known from outside of one partition. */
    private static final class Track {
        /** The lowest offset that nobody has finished for good. */
        private long frontier;

        private long generation = -1;
        private Object reader = this;
        private long next;
        private final Set<Long> acknowledged = new HashSet<>();
    }

    private final class Schedule {

        private final GroupFixture fixture;
        private final Random random;
        private final String name;
        private final ConsumerGroup group;
        private final List<String> topics = new ArrayList<>();
        private final List<Actor> actors = new ArrayList<>();
        private final Map<PartitionId, Track> tracks = new TreeMap<>();
        private int statics;
        /** What an assertion in a subscriber found: thrown there it would be lost. */
        private @Nullable Throwable violation;

        Schedule(GroupFixture fixture, int number) {
            this.fixture = fixture;
            this.random = new Random(SEED + number);
            this.name = "g" + number;
            GroupSpec spec = fixture.spec()
                    .protocol(random.nextBoolean() ? RebalanceProtocol.EAGER : RebalanceProtocol.COOPERATIVE)
                    .assignor(List.of(Assignor.range(), Assignor.roundRobin(), Assignor.cooperativeSticky())
                            .get(random.nextInt(3)))
                    .prefetch(1 + random.nextInt(8))
                    .maxUnacknowledged(1 + random.nextInt(8))
                    .commitInterval(Duration.ofMillis(random.nextInt(3) * 40L));
            if (random.nextInt(4) == 0) {
                spec = spec.discardInFlight();
            }
            this.group = fixture.log.group(name, spec);
            int first = random.nextInt(TOPICS);
            topics.add("t" + first);
            if (random.nextBoolean()) {
                topics.add("t" + (first + 5) % TOPICS);
            }
        }

        void run() {
            join();
            for (int step = 40 + random.nextInt(60); step > 0; step--) {
                act();
                if (random.nextInt(3) == 0) {
                    fixture.pass(random.nextInt(random.nextInt(12) == 0 ? 3_000 : 60));
                }
            }
            actors.forEach(Actor::leave);
            fixture.pass(10_000);
            Actor last = join();
            last.behaves = true;
            for (int i = 0; i < 4_000 && !isFinished(); i++) {
                last.request(8);
                last.acknowledgeSome(Integer.MAX_VALUE);
                fixture.pass(5);
            }
            fixture.pass(200);
            assertThat(violation).as(name).isNull();
            assertThat(isFinished()).as(name + ": all is handed out in the end").isTrue();
            GroupDescription description = fixture.get(group.describe());
            assertThat(description.lag()).as(name).isZero();
            rebalances += group.rebalances();
            fenced += group.fencedMembers();
            refused += group.refusedAcknowledgements();
            last.leave();
            fixture.pass(10_000);
            fixture.all(group.delete());
        }

        private void act() {
            int choice = random.nextInt(20);
            if (actors.isEmpty() || (choice < 2 && actors.size() < 5)) {
                join();
                return;
            }
            Actor actor = actors.get(random.nextInt(actors.size()));
            if (choice < 3) {
                actor.leave();
                actors.remove(actor);
            } else if (choice < 4) {
                actor.hangs = true;
            } else if (choice < 5) {
                actor.resubscribe();
            } else if (choice < 6) {
                actor.throwsNext = true;
            } else if (choice < 11) {
                actor.request(1 + random.nextInt(6));
            } else {
                actor.acknowledgeSome(1 + random.nextInt(6));
            }
        }

        private Actor join() {
            MemberSpec member = MemberSpec.topics(topics.toArray(String[]::new));
            if (random.nextInt(4) == 0) {
                member = member.instanceId("static" + statics++);
            }
            Actor actor = new Actor(fixture.get(group.join(member)));
            actors.add(actor);
            actor.resubscribe();
            return actor;
        }

        private void check(Runnable assertion) {
            try {
                assertion.run();
            } catch (AssertionError e) {
                violation = violation == null ? e : violation;
            }
        }

        private boolean isFinished() {
            return topics.stream()
                    .flatMap(topic -> fixture.log.topic(topic).partitions().stream())
                    .allMatch(
                            partition -> track(new PartitionId(partition.topic(), partition.id())).frontier == RECORDS);
        }

        private Track track(PartitionId id) {
            return tracks.computeIfAbsent(id, partition -> new Track());
        }

        private void delivered(Object reader, ConsumerRecord record) {
            Track track = track(record.partition());
            String as = name + ", " + record + ", generation " + record.generation();
            assertThat(record.generation()).as(as).isGreaterThanOrEqualTo(track.generation);
            if (record.generation() != track.generation || reader != track.reader) {
                assertThat(record.offset())
                        .as(as + " begins where the one before ended")
                        .isEqualTo(track.frontier);
                redelivered += track.next - track.frontier;
                track.generation = record.generation();
                track.reader = reader;
                track.acknowledged.clear();
            } else {
                assertThat(record.offset()).as(as).isEqualTo(track.next);
            }
            track.next = record.offset() + 1;
        }

        private void acknowledged(Object reader, ConsumerRecord record) {
            Track track = track(record.partition());
            assertThat(track.reader)
                    .as(name + ", " + record + " is accepted from its reader only")
                    .isSameAs(reader);
            assertThat(track.generation).as(name + ", " + record).isEqualTo(record.generation());
            track.acknowledged.add(record.offset());
            while (track.acknowledged.remove(track.frontier)) {
                track.frontier++;
            }
        }

        /** A member and what it does with what it gets. */
        private final class Actor {
            private final GroupMember member;
            private final List<ConsumerRecord> held = new ArrayList<>();
            private final Map<ConsumerRecord, Object> readers = new HashMap<>();
            private Reader reader = new Reader();
            private boolean hangs;
            private boolean throwsNext;
            private boolean behaves;

            Actor(GroupMember member) {
                this.member = member;
            }

            /** As after an error: what it had in hand is of no concern any more. */
            void resubscribe() {
                reader.cancel();
                reader = new Reader();
                member.records().subscribe(reader);
            }

            void request(int n) {
                reader.request(n);
            }

            /** In a task of the clock: what follows from it happens when it is noted. */
            void acknowledgeSome(int most) {
                fixture.time.schedule(() -> acknowledgeNow(most));
            }

            private void acknowledgeNow(int most) {
                for (int i = 0; i < most && !held.isEmpty() && !hangs; i++) {
                    ConsumerRecord record = held.remove(behaves ? 0 : random.nextInt(held.size()));
                    Object from = readers.remove(record);
                    if (record.acknowledge()) {
                        check(() -> acknowledged(from, record));
                    }
                }
            }

            /** With records in hand it is fenced if it never gives them back. */
            void leave() {
                member.leave().subscribe();
                if (random.nextBoolean()) {
                    acknowledgeSome(Integer.MAX_VALUE);
                }
            }

            private final class Reader extends BaseSubscriber<ConsumerRecord> {

                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    // Requested at random.
                }

                @Override
                protected void hookOnNext(ConsumerRecord record) {
                    check(() -> delivered(this, record));
                    held.add(record);
                    readers.put(record, this);
                    if (throwsNext) {
                        throwsNext = false;
                        throw new UserFailure();
                    }
                }

                @Override
                protected void hookOnError(Throwable error) {
                    if (error instanceof UserFailure) {
                        thrown++;
                        resubscribe();
                        return;
                    }
                    check(() -> assertThat(error).as(name).isInstanceOf(MemberFencedException.class));
                }
            }
        }
    }
}
