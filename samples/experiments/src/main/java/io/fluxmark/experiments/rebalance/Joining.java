package io.fluxmark.experiments.rebalance;

import io.fluxmark.log.ConsumeSpec;
import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.ConsumerRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.GroupEvent;
import io.fluxmark.log.GroupMember;
import io.fluxmark.log.GroupSpec;
import io.fluxmark.log.MemberSpec;
import io.fluxmark.log.PartitionId;
import io.fluxmark.log.RebalanceProtocol;
import io.fluxmark.log.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A third member joins a group of two that is busy, and all of it is read to the end: how long each partition stood still, and
 * how often each record was handled.
 */
final class Joining {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MEMBERS = 2;
    /** The third joins when one of so many records has been handled. */
    private static final int JOIN_AT = 5;

    private final EventLog log;
    private final Topic topic;
    private final RebalanceProtocol protocol;
    private final Scheduler clock;
    private final ConcurrentLinkedQueue<GroupEvent> events = new ConcurrentLinkedQueue<>();
    private final List<AtomicIntegerArray> handled = new ArrayList<>();
    private final LongAdder once = new LongAdder();
    private final LongAdder again = new LongAdder();
    /** When a record of a partition was handled last, and the longest pause between two. */
    private final AtomicLongArray last;

    private final AtomicLongArray longest;
    private final AtomicInteger standing = new AtomicInteger();
    /** From the join until every partition that was taken has been begun again. */
    private volatile long begun = Long.MAX_VALUE;

    private volatile long ended = Long.MAX_VALUE;

    Joining(EventLog log, Topic topic, RebalanceProtocol protocol, Scheduler clock) {
        this.log = log;
        this.topic = topic;
        this.protocol = protocol;
        this.clock = clock;
        this.last = new AtomicLongArray(topic.partitionCount());
        this.longest = new AtomicLongArray(topic.partitionCount());
        topic.partitions().forEach(partition -> handled.add(new AtomicIntegerArray((int) partition.endOffset())));
    }

    /** Runs under a group name of its own. */
    Stops run(String name) {
        ConsumerGroup group =
                log.group(name, GroupSpec.defaults().protocol(protocol).listener(this::note));
        List<Mono<Void>> all = new ArrayList<>();
        List<GroupMember> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(join(group, all));
        }
        awaitHandled(records() / JOIN_AT);
        // How the first two came to share is of no concern.
        events.clear();
        standing.set(0);
        begun = clock.now(TimeUnit.NANOSECONDS);
        members.add(join(group, all));
        awaitHandled(records());
        members.forEach(member -> member.leave().block(PATIENCE));
        Mono.when(all).block(PATIENCE);
        Stops stops = stops(group);
        group.delete().block(PATIENCE);
        return stops;
    }

    private void awaitHandled(long count) {
        Mono.defer(() -> Mono.delay(Duration.ofMillis(2)))
                .repeat(() -> once.sum() < count)
                .then()
                .block(PATIENCE);
    }

    private GroupMember join(ConsumerGroup group, List<Mono<Void>> all) {
        GroupMember member = group.join(MemberSpec.topics(topic.name())).block(PATIENCE);
        if (member == null) {
            throw new IllegalStateException("no member joined");
        }
        Mono<Void> done = member.consume(record -> Mono.fromRunnable(() -> handle(record)), ConsumeSpec.defaults())
                .cache();
        done.subscribe();
        all.add(done);
        return member;
    }

    private void handle(ConsumerRecord record) {
        int partition = record.partition().partition();
        int times = handled.get(partition).incrementAndGet((int) record.offset());
        (times == 1 ? once : again).increment();
        long now = clock.now(TimeUnit.NANOSECONDS);
        long before = last.getAndSet(partition, now);
        if (now >= begun && before < ended && before != 0 && now - before > longest.get(partition)) {
            longest.set(partition, now - before);
        }
    }

    private void note(GroupEvent event) {
        events.add(event);
        if (event.kind() == GroupEvent.Kind.REVOKED) {
            standing.incrementAndGet();
        } else if (event.kind() == GroupEvent.Kind.FIRST_RECORD
                && standing.decrementAndGet() == 0
                && event.nanos() > begun
                && ended == Long.MAX_VALUE) {
            ended = event.nanos();
        }
    }

    private long records() {
        return topic.partitions().stream()
                .mapToLong(partition -> partition.endOffset())
                .sum();
    }

    private Stops stops(ConsumerGroup group) {
        Map<PartitionId, Long> revoked = new HashMap<>();
        List<Long> pauses = new ArrayList<>();
        for (GroupEvent event : events) {
            if (event.kind() == GroupEvent.Kind.REVOKED) {
                revoked.put(event.partition(), event.nanos());
            } else if (event.kind() == GroupEvent.Kind.FIRST_RECORD) {
                Long since = revoked.remove(event.partition());
                if (since != null) {
                    pauses.add(event.nanos() - since);
                }
            }
        }
        List<Long> unmoved = topic.partitions().stream()
                .map(partition -> new PartitionId(topic.name(), partition.id()))
                .filter(id -> events.stream()
                        .noneMatch(event -> event.kind() == GroupEvent.Kind.FIRST_RECORD
                                && event.partition().equals(id)))
                .map(id -> longest.get(id.partition()))
                .toList();
        return new Stops(pauses, unmoved, again.sum(), records() - once.sum(), group.refusedAcknowledgements());
    }
}
