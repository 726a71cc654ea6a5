package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.AppendResult;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.OffsetOutOfRangeException;
import io.fluxmark.log.Partition;
import io.fluxmark.log.ProducerSequence;
import io.fluxmark.log.Topic;
import io.fluxmark.state.LaneTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * How far one lane's rows have come in the target topic: per partition the offset behind the last one that arrived, part of
 * every transaction. Rows that a crash has left unanswered lie at or behind it, or not in the topic.
 *
 * <p>Whether they are there is looked up in the topic itself, from that offset on, and not left to what the log remembers of
 * sequences: a partition remembers so many producers, and one that it forgets a moment before an append would be taken
 * for a new one.
 */
final class TopicProgress {

    private static final long NOTHING = -1;

    private final Topic target;
    private final String producer;
    private final String counter;
    private final long restored;
    private final AtomicLongArray ends;

    /** The highest sequence found, of partitions that were looked through. Of the delivery, one call at a time. */
    private final Map<Integer, Long> found = new HashMap<>();

    /** Whether the lane's state has the ends as they are: cleared before it is looked at again. */
    private volatile boolean kept;

    /** @param restored rows with lower numbers may be in the topic already */
    TopicProgress(Topic target, String producer, String sink, JobLane lane, long restored) {
        this.target = target;
        this.producer = producer;
        this.counter = "topic/" + sink;
        this.restored = restored;
        long @Nullable [] stored = lane.state().longs(LanePosition.OPERATOR, counter);
        this.kept = stored != null;
        this.ends = new AtomicLongArray(
                stored != null
                        ? stored
                        : target.partitions().stream()
                                .mapToLong(Partition::endOffset)
                                .toArray());
    }

    static long sequence(AppendRecord record) {
        return Objects.requireNonNull(record.sequence(), "sequence").sequence();
    }

    /** Of the next rows those that are to be appended, though the log may know some of them. */
    Mono<List<AppendRecord>> unstored(List<AppendRecord> records) {
        return Flux.fromIterable(records)
                .filter(this::isInDoubt)
                .map(AppendRecord::partition)
                .distinct()
                .concatMap(this::search)
                .then(Mono.fromSupplier(() -> withoutFound(records)));
    }

    private boolean isInDoubt(AppendRecord record) {
        return sequence(record) < restored && !found.containsKey(record.partition());
    }

    private List<AppendRecord> withoutFound(List<AppendRecord> records) {
        List<AppendRecord> rest = new ArrayList<>();
        for (AppendRecord record : records) {
            if (sequence(record) > found.getOrDefault(record.partition(), NOTHING)) {
                rest.add(record);
            }
        }
        return rest;
    }

    private Mono<Void> search(int number) {
        Partition partition = target.partition(number);
        long from = ends.get(number);
        long begin = partition.beginOffset();
        long end = partition.endOffset();
        if (end <= from) {
            found.put(number, NOTHING);
            return Mono.empty();
        }
        return partition
                .readTo(Math.max(from, begin), end)
                .map(this::ownSequence)
                .reduce(NOTHING, Math::max)
                .doOnNext(highest ->
                        found.put(number, highest == NOTHING && begin > from ? remembered(partition, from) : highest))
                .then(partition.force(end));
    }

    /** Retention has deleted where rows may have been: only the log's memory of sequences is left. */
    private long remembered(Partition partition, long from) {
        return partition
                .highestSequence(producer)
                .orElseThrow(
                        () -> new IllegalStateException("partition " + partition.id() + " of topic " + target.name()
                                + " has forgotten the producer " + producer
                                + ", and retention has deleted where its rows may be, offsets " + from + " to "
                                + partition.beginOffset() + ": nobody can tell whether rows below number " + restored
                                + " were appended. Run the job under a new name, and keep more with Retention"));
    }

    private long ownSequence(LogRecord record) {
        return record.sequence()
                .filter(sequence -> sequence.producer().equals(producer))
                .map(ProducerSequence::sequence)
                .orElse(NOTHING);
    }

    /** Errors where the topic holds something else under the record's sequence; what was deleted is not compared. */
    Mono<Void> compare(AppendRecord record, AppendResult result) {
        Partition partition = target.partition(result.partition());
        if (result.offset() < partition.beginOffset()) {
            return Mono.empty();
        }
        return partition
                .readTo(result.offset(), result.offset() + 1)
                .doOnNext(stored -> check(record, stored))
                .onErrorResume(OffsetOutOfRangeException.class, deleted -> Mono.empty())
                .then();
    }

    private void check(AppendRecord record, LogRecord stored) {
        // The last two headers are the sequence.
        int own = stored.headers().size() - 2;
        if (!Arrays.equals(record.key(), stored.key())
                || !Arrays.equals(record.value(), stored.value())
                || !record.headers().equals(stored.headers().subList(0, Math.max(0, own)))) {
            throw new IllegalStateException(
                    "row " + sequence(record) + " is at offset " + stored.offset() + " of partition "
                            + stored.partition() + " with other bytes than it has now: " + madeAgain(producer, target));
        }
    }

    /** What is wrong where the topic has other rows under a producer's numbers. */
    static String madeAgain(String producer, Topic target) {
        return "the rows of " + producer + " are not those that topic " + target.name()
                + " has under this name: the job's store was lost or came back older, and they were made again"
                + " differently; run the job under a new name";
    }

    /** Rows up to an offset have arrived for good. */
    void arrived(int partition, long end) {
        if (end > ends.get(partition)) {
            ends.set(partition, end);
            kept = false;
        }
    }

    void flush(LaneTransaction transaction) {
        if (!kept) {
            kept = true;
            long[] values = new long[ends.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = ends.get(i);
            }
            transaction.longs(LanePosition.OPERATOR, counter, values);
        }
    }
}
