package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A log and its groups, all of whose work is done on one virtual clock: what happens is a function of what the test does. */
final class GroupFixture implements AutoCloseable {

    static final Duration REVOKE = Duration.ofSeconds(2);

    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final EventLog log;

    GroupFixture(Path directory) {
        this(directory, LogSpec.defaults());
    }

    GroupFixture(Path directory, LogSpec base) {
        log = Logs.open(
                directory,
                base.storage(FaultStorage.fast())
                        .clock(time)
                        .readScheduler(time)
                        .durability(Durability.OS)
                        .writerExecutor(Runnable::run));
    }

    GroupSpec spec() {
        return GroupSpec.defaults()
                .scheduler(time)
                .commitInterval(Duration.ofMillis(50))
                .revokeTimeout(REVOKE)
                .rejoinWithin(Duration.ofSeconds(3))
                .prefetch(4);
    }

    /** A topic with so many records in each partition. */
    Topic topic(String name, int partitions, int records) {
        Topic topic = log.createTopic(name, partitions).block(Logs.WAIT);
        for (int p = 0; p < partitions; p++) {
            fill(topic, p, records);
        }
        return topic;
    }

    static void fill(Topic topic, int partition, int records) {
        if (records > 0) {
            topic.append(IntStream.range(0, records)
                            .mapToObj(i -> AppendRecord.to(partition, Logs.bytes("v" + i)))
                            .toList())
                    .block(Logs.WAIT);
        }
    }

    void pass(long millis) {
        time.advanceTimeBy(Duration.ofMillis(millis));
    }

    /** Lets time pass until something holds that another thread brings about. */
    void passUntil(BooleanSupplier holds) {
        for (int i = 0; i < 2_000_000 && !holds.getAsBoolean(); i++) {
            pass(1);
            Thread.onSpinWait();
        }
        assertThat(holds.getAsBoolean()).as("in time").isTrue();
    }

    /** Lets time pass until it has completed. */
    <T> List<T> all(Publisher<T> publisher) {
        List<T> values = new ArrayList<>();
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Flux.from(publisher).subscribe(values::add, failure::set, () -> done.set(true));
        passUntil(() -> done.get() || failure.get() != null);
        if (failure.get() instanceof RuntimeException e) {
            throw e;
        }
        assertThat(failure.get()).isNull();
        return values;
    }

    <T> T get(Mono<T> mono) {
        return all(mono).get(0);
    }

    /** What a group has committed of a partition, -1 for nothing. */
    long committed(String group, String topic, int partition) {
        return all(log.groups()).stream()
                .filter(each -> each.group().equals(group))
                .flatMap(each -> each.partitions().stream())
                .filter(each -> each.partition().equals(new PartitionId(topic, partition)))
                .mapToLong(GroupDescription.Progress::committed)
                .findAny()
                .orElse(-1);
    }

    @Override
    public void close() {
        log.close();
    }

    /** Holds what it gets until it is told to acknowledge. */
    static final class Holder extends BaseSubscriber<ConsumerRecord> {

        final List<ConsumerRecord> held = new ArrayList<>();
        final List<String> seen = new ArrayList<>();
        Throwable failure;
        boolean completed;

        static Holder of(GroupMember member, long demand) {
            Holder holder = new Holder();
            member.records().subscribe(holder);
            if (demand > 0) {
                holder.request(demand);
            }
            return holder;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // The test requests.
        }

        @Override
        protected void hookOnNext(ConsumerRecord record) {
            held.add(record);
            seen.add(record.partition() + "@" + record.offset());
        }

        @Override
        protected void hookOnError(Throwable error) {
            failure = error;
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }

        void acknowledgeAll() {
            List<ConsumerRecord> now = List.copyOf(held);
            held.clear();
            now.forEach(ConsumerRecord::acknowledge);
        }
    }
}
