package io.fluxmark.log;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The producers of one partition, as far as they are remembered: at most {@code limit}, the one used longest ago goes first.
 * Confined to the writer thread but for {@link #published} and {@link #forgotten}.
 */
final class ProducerRegistry {

    private final int limit;
    private final Map<String, ProducerHistory> histories = new LinkedHashMap<>(16, 0.75f, true);
    /** The same producers for other threads to look up. */
    private final Map<String, Long> highest = new ConcurrentHashMap<>();

    private final AtomicLong forgotten = new AtomicLong();

    /** The part of the log searched last: a client that repeats a file from its start asks for one after the other. */
    private @Nullable SearchedRange searched;

    ProducerRegistry(int limit) {
        this.limit = limit;
    }

    /** Notes a stored record. What is not above the producer's highest sequence is of another writer and ignored. */
    void add(String producer, long sequence, long offset) {
        ProducerHistory history = histories.computeIfAbsent(producer, name -> new ProducerHistory());
        if (sequence <= history.highest()) {
            return;
        }
        history.add(sequence, offset);
        highest.put(producer, sequence);
        if (histories.size() > limit) {
            String eldest = histories.keySet().iterator().next();
            histories.remove(eldest);
            highest.remove(eldest);
            forgotten.incrementAndGet();
        }
    }

    /** The highest sequence of the producer, -1 if none is remembered. */
    long highest(String producer) {
        ProducerHistory history = histories.get(producer);
        return history == null ? -1 : history.highest();
    }

    /** The offset of a sequence not above the highest, or {@link ProducerHistory#NOT_STORED}. May search the log. */
    long offsetOf(ProducerSequence wanted, CursorSource log) throws IOException {
        ProducerHistory history = histories.get(wanted.producer());
        if (history == null) {
            return ProducerHistory.NOT_STORED;
        }
        long sequence = wanted.sequence();
        if (history.isRecent(sequence)) {
            return history.recentOffset(sequence);
        }
        long from = history.searchFrom(sequence);
        if (from == ProducerHistory.NOT_STORED) {
            return ProducerHistory.NOT_STORED;
        }
        long to = history.searchTo(sequence);
        SearchedRange range = searched;
        if (range == null || !range.covers(wanted.producer(), from, to)) {
            range = SearchedRange.search(log, wanted.producer(), from, to);
            searched = range;
        }
        return range.found().offsetOf(sequence);
    }

    OptionalLong published(String producer) {
        Long sequence = highest.get(producer);
        return sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence);
    }

    long forgotten() {
        return forgotten.get();
    }

    /** Opens a cursor at an offset. */
    interface CursorSource {
        PartitionCursor open(long from);
    }

    private record SearchedRange(String producer, long from, long to, SequenceRun found) {

        boolean covers(String wanted, long first, long end) {
            return producer.equals(wanted) && from <= first && end <= to;
        }

        static SearchedRange search(CursorSource log, String producer, long from, long to) throws IOException {
            SequenceRun found = new SequenceRun();
            try (PartitionCursor cursor = log.open(from)) {
                while (cursor.position() < to) {
                    LogRecord record = cursor.next();
                    if (record == null) {
                        break;
                    }
                    ProducerSequence sequence = ProducerSequence.in(record.headers());
                    boolean rises = sequence != null
                            && sequence.producer().equals(producer)
                            && (found.size() == 0 || sequence.sequence() > found.lastSequence());
                    if (sequence != null && rises) {
                        found.add(sequence.sequence(), record.offset());
                    }
                }
            }
            return new SearchedRange(producer, from, to, found);
        }
    }
}
