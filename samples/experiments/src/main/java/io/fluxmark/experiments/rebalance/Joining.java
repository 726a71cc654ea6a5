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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A third member joins a group of two that is busy, and all of it is read to the end: how long each partition stood still, and
 * how often each record was handled.
 */
final class Joining {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MEMBERS = 2;

    private final EventLog log;
    private final Topic topic;
    private final RebalanceProtocol protocol;
    private final Scheduler clock;
    private final ConcurrentLinkedQueue<GroupEvent> events = new ConcurrentLinkedQueue<>();
    private final List<AtomicInteger[]> handled = new ArrayList<>();
    /** When a record of a partition was handled last, and the longest pause between two. */
    private final AtomicLongArray last;

    private final AtomicLongArray longest;
    private volatile boolean joined;

    Joining(EventLog log, Topic topic, RebalanceProtocol protocol, Scheduler clock) {
        this.log = log;
        this.topic = topic;
        this.protocol = protocol;
        this.clock = clock;
        this.last = new AtomicLongArray(topic.partitionCount());
        this.longest = new AtomicLongArray(topic.partitionCount());
        topic.partitions().forEach(partition -> handled.add(newCounts((int) partition.endOffset())));
    }

    private static AtomicInteger[] newCounts(int records) {
        AtomicInteger[] counts = new AtomicInteger[records];
        Arrays.setAll(counts, i -> new AtomicInteger());
        return counts;
    }

    /** Runs under a group name of its own. */
    Stops run(String name, Duration beforeJoin) {
        ConsumerGroup group =
                log.group(name, GroupSpec.defaults().protocol(protocol).listener(events::add));
        List<Mono<Void>> all = new ArrayList<>();
        List<GroupMember> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(join(group, all));
        }
        Mono.delay(beforeJoin).block();
        joined = true;
        members.add(join(group, all));
        Mono.defer(() -> Mono.delay(Duration.ofMillis(5)))
                .repeat(() -> handledRecords() < records())
                .then()
                .block(PATIENCE);
        members.forEach(member -> member.leave().block(PATIENCE));
        Mono.when(all).block(PATIENCE);
        Stops stops = stops(group);
        group.delete().block(PATIENCE);
        return stops;
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
        handled.get(partition)[(int) record.offset()].incrementAndGet();
        long now = clock.now(TimeUnit.NANOSECONDS);
        long before = last.getAndSet(partition, now);
        if (joined && before != 0 && now - before > longest.get(partition)) {
            longest.set(partition, now - before);
        }
    }

    private long records() {
        return topic.partitions().stream().mapToLong(partition -> partition.endOffset()).sum();
    }

    private long handledRecords() {
        return handled.stream()
                .flatMap(Arrays::stream)
                .filter(count -> count.get() > 0)
                .count();
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
                                && event.partition().equals(id)
                                && event.generation() > firstGeneration(id)))
                .map(id -> longest.get(id.partition()))
                .toList();
        long twice = handled.stream()
                .flatMap(Arrays::stream)
                .filter(count -> count.get() > 1)
                .count();
        return new Stops(pauses, unmoved, twice, records() - handledRecords(), group.refusedAcknowledgements());
    }

    private long firstGeneration(PartitionId id) {
        return events.stream()
                .filter(event -> event.partition().equals(id) && event.kind() == GroupEvent.Kind.FIRST_RECORD)
                .mapToLong(GroupEvent::generation)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
