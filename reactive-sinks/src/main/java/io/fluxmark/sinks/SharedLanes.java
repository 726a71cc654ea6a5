package io.fluxmark.sinks;

import io.fluxmark.log.Assignment;
import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.GroupMember;
import io.fluxmark.log.MemberSpec;
import io.fluxmark.log.PartitionId;
import io.fluxmark.log.StaleGenerationException;
import io.fluxmark.windows.SourcePosition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The lanes that one member of a group runs of a job: those of the partitions that it holds, as they come and go (S49). A lane
 * of a partition that is revoked is stopped: it reads nothing more, drops what is read ahead, finishes what is in flight
 * and commits; then the partition is given up. Whoever gets it opens the lane anew, from that commit.
 *
 * <p>How far the job is stands in its store. The group is told of it behind each commit, for its lag and its retention floor.
 *
 * <p>Thread-safe: assignments come on one thread, revocations and ends of lanes on others.
 */
final class SharedLanes {

    private static final Logger LOG = Loggers.getLogger(SharedLanes.class);

    /** Opens and runs a lane, by its number, until it is told to stop. */
    interface LaneRun extends BiFunction<Integer, Mono<Void>, Flux<LaneWriter.Committed>> {}

    /** A lane from its assignment to its end. */
    private static final class Running {
        private final Sinks.Empty<Void> stop = Sinks.empty();
        private final Sinks.Empty<Void> ended = Sinks.empty();
    }

    private final String topic;
    private final LaneRun run;
    private final Sinks.One<GroupMember> member = Sinks.one();

    /** Guarded by this, like what follows: the lanes that run, by number. */
    private final Map<Integer, Running> running = new HashMap<>();

    /** The generation up to which assignments say nothing of a partition any more: it was revoked since. */
    private final Map<Integer, Long> revoked = new HashMap<>();

    private boolean stopping;

    private SharedLanes(String topic, LaneRun run) {
        this.topic = topic;
        this.run = run;
    }

    /**
     * Joins, runs what it is assigned, and leaves when that ends, however it ends.
     *
     * @param stop when it emits or completes every lane is stopped, and the result completes; null for never
     */
    static Flux<LaneWriter.Committed> of(ConsumerGroup group, String topic, @Nullable Publisher<?> stop, LaneRun run) {
        return Flux.defer(() -> {
            SharedLanes lanes = new SharedLanes(topic, run);
            return Flux.usingWhen(
                            group.join(MemberSpec.topics(topic).onRevoke(lanes::giveUp)),
                            joined -> lanes.run(joined, stop),
                            GroupMember::leave)
                    .doFinally(signal -> lanes.member.tryEmitEmpty());
        });
    }

    private Flux<LaneWriter.Committed> run(GroupMember joined, @Nullable Publisher<?> stop) {
        member.tryEmitValue(joined);
        Mono<Void> stopped =
                stop == null ? Mono.never() : Flux.from(stop).take(1).then().doOnSuccess(ignored -> stopAll());
        return joined.assignments()
                .takeUntilOther(stopped)
                .concatMapIterable(assignment -> begin(joined, assignment))
                .flatMap(lane -> lane, Integer.MAX_VALUE, 1);
    }

    /** The lanes that an assignment begins. */
    private synchronized List<Flux<LaneWriter.Committed>> begin(GroupMember joined, Assignment assignment) {
        List<Flux<LaneWriter.Committed>> begun = new ArrayList<>();
        for (PartitionId id : assignment.partitions()) {
            int lane = id.partition();
            boolean held = assignment.generation() > revoked.getOrDefault(lane, Long.MIN_VALUE);
            if (held && !stopping && !running.containsKey(lane)) {
                Running started = new Running();
                running.put(lane, started);
                begun.add(run.apply(lane, started.stop.asMono())
                        .doOnNext(committed -> tell(joined, assignment.generation(), committed))
                        .doFinally(signal -> end(lane, started)));
            }
        }
        return begun;
    }

    private void end(int lane, Running ended) {
        synchronized (this) {
            running.remove(lane, ended);
        }
        ended.ended.tryEmitEmpty();
    }

    /** Completes when no lane of these partitions runs. A revocation may come before the member itself is known. */
    private Mono<Void> giveUp(Set<PartitionId> partitions) {
        return member.asMono().flatMap(joined -> stop(joined, partitions));
    }

    private Mono<Void> stop(GroupMember joined, Set<PartitionId> partitions) {
        List<Running> affected = new ArrayList<>();
        synchronized (this) {
            // The assignment without them may not be there yet; none that has them again can be before this has ended.
            long generation = joined.assignment().generation();
            for (PartitionId id : partitions) {
                revoked.put(id.partition(), generation);
                Running lane = running.get(id.partition());
                if (lane != null) {
                    affected.add(lane);
                }
            }
        }
        affected.forEach(lane -> lane.stop.tryEmitEmpty());
        return Mono.when(affected.stream().map(lane -> lane.ended.asMono()).toList());
    }

    private void stopAll() {
        List<Running> all;
        synchronized (this) {
            stopping = true;
            all = List.copyOf(running.values());
        }
        all.forEach(lane -> lane.stop.tryEmitEmpty());
    }

    private void tell(GroupMember joined, long generation, LaneWriter.Committed committed) {
        for (SourcePosition position : committed.lane().positions()) {
            PartitionId id = new PartitionId(topic, position.partition());
            joined.commit(generation, id, position.nextOffset()).subscribe(null, failure -> {
                // Of a member that is fenced, nobody wants to know it any more.
                if (!(failure instanceof StaleGenerationException)) {
                    LOG.warn("group of " + id + " could not be told of offset " + position.nextOffset(), failure);
                }
            });
        }
    }
}
