package io.fluxmark.sinks;

import io.fluxmark.log.Topic;
import io.fluxmark.state.OperatorLongs;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LaneCheckpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What a job has committed, read without running it and without disturbing it if it runs: how far each lane is, and what
 * it would start from. All values of one lane are of one commit; lanes commit independently, so those of two lanes may be
 * of different ones while the job runs.
 *
 * @param job the job's name
 * @param lanes in order: one for each partition of the topic, or the one over all of them
 */
public record JobStatus(String job, List<Lane> lanes) {

    /** Copies {@code lanes}. */
    public JobStatus {
        lanes = List.copyOf(lanes);
    }

    /**
     * Reads the status of a job when subscribed. A job that has never committed stands at the beginning; a name that no
     * job has ever had can't be told from it.
     *
     * @param topic what the job reads
     */
    public static Mono<JobStatus> read(StateStore store, String job, Topic topic) {
        return read(store, job, JobTopics.of(Objects.requireNonNull(topic, "topic")));
    }

    /** The same of a job that joins two topics. The partitions of both are numbered through, those of the left one first. */
    public static Mono<JobStatus> read(StateStore store, String job, Topic left, Topic right) {
        return read(
                store, job, JobTopics.of(Objects.requireNonNull(left, "left"), Objects.requireNonNull(right, "right")));
    }

    static Mono<JobStatus> read(StateStore store, String job, JobTopics topics) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(job, "job");
        return lane(store, job, topics, 0)
                .flatMap(first -> first.positions().size() > topics.topics().size()
                        ? Mono.just(List.of(first))
                        : Flux.range(1, topics.lanes() - 1)
                                .concatMap(lane -> lane(store, job, topics, lane))
                                .startWith(first)
                                .collectList())
                .map(lanes -> new JobStatus(job, lanes));
    }

    private static Mono<Lane> lane(StateStore store, String job, JobTopics topics, int lane) {
        return store.longs(job, lane).collectList().map(values -> Lane.of(job, lane, topics, values));
    }

    /**
     * How far a job is in one partition.
     *
     * @param partition its number; of two topics that are joined they are numbered through, those of the left one first
     * @param nextOffset the offset of the first record that is not part of the newest commit
     * @param endOffset where the partition ended, at the time of reading
     */
    public record Position(int partition, long nextOffset, long endOffset) {

        /** How many records are appended and not yet part of a commit. */
        public long lag() {
            return endOffset - nextOffset;
        }
    }

    /** How many records of the topic are appended and not yet part of a commit. */
    public long lag() {
        return lanes.stream().mapToLong(Lane::lag).sum();
    }

    /** Whether every lane has been drained. */
    public boolean finished() {
        return lanes.stream().allMatch(Lane::finished);
    }

    /**
     * What one lane has committed.
     *
     * @param lane the lane, from 0: where it is over one partition, that one's number
     * @param transaction the number of its newest durable transaction, 0 before the first
     * @param positions how far it is in each of its partitions, in their order; at least one
     * @param finished whether the lane was drained: every window has fired
     * @param maxima the largest timestamp, epoch ms, by operator that gives events their time; {@link Long#MIN_VALUE}
     *     before the first event
     * @param watermarks the watermark, epoch ms, of each operator that has one
     * @param counters what each operator has counted
     */
    public record Lane(
            int lane,
            long transaction,
            List<Position> positions,
            boolean finished,
            Map<String, Long> maxima,
            Map<String, Long> watermarks,
            Map<String, Counters> counters) {

        /** Copies the collections. */
        public Lane {
            positions = List.copyOf(positions);
            maxima = Map.copyOf(maxima);
            watermarks = Map.copyOf(watermarks);
            counters = Map.copyOf(counters);
        }

        /** How many records are appended and not yet part of a commit. */
        public long lag() {
            return positions.stream().mapToLong(Position::lag).sum();
        }

        /** {@link Position#nextOffset} of a lane over one partition; for another an {@link IllegalStateException}. */
        public long nextOffset() {
            return onlyPosition().nextOffset();
        }

        /** {@link Position#endOffset} of a lane over one partition; for another an {@link IllegalStateException}. */
        public long endOffset() {
            return onlyPosition().endOffset();
        }

        private Position onlyPosition() {
            if (positions.size() != 1) {
                throw new IllegalStateException("the lane is over " + positions.size()
                        + " partitions, each with an offset of its own: ask for its positions");
            }
            return positions.get(0);
        }

        /** The outcomes of all records that the lane has committed. */
        public Counters counts() {
            return LaneCheckpoint.countsOf(counters);
        }

        private static Lane of(String job, int lane, JobTopics topics, List<OperatorLongs> values) {
            CommittedLane committed = CommittedLane.of(job, lane, values);
            List<Position> positions = new ArrayList<>();
            committed
                    .offsets()
                    .forEach((partition, offset) -> positions.add(new Position(
                            partition, offset, topics.partition(job, partition).endOffset())));
            positions.sort(Comparator.comparingInt(Position::partition));
            return new Lane(
                    lane,
                    committed.transaction(),
                    positions,
                    committed.finished(),
                    committed.maxima(),
                    committed.watermarks(),
                    committed.counters());
        }
    }
}
