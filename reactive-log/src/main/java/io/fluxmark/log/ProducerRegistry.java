package io.fluxmark.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The producers of one partition, as far as they are remembered: at most {@code limit}, the one used longest ago goes first.
 * Confined to the writer thread but for {@link #published} and {@link #forgotten}.
 */
final class ProducerRegistry {

    private static final int MAX_NUMBER_BYTES = 10;

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
        forgetBeyondLimit();
    }

    /** All that is remembered, the producer used longest ago first. */
    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(bytes, MAX_NUMBER_BYTES, buffer -> Varints.put(buffer, histories.size()));
        histories.forEach((producer, history) -> {
            byte[] name = producer.getBytes(StandardCharsets.UTF_8);
            write(bytes, MAX_NUMBER_BYTES + name.length + history.maxBytes(), buffer -> {
                Varints.put(buffer, name.length);
                buffer.put(name);
                history.writeTo(buffer);
            });
        });
        return bytes.toByteArray();
    }

    /**
     * What {@link #toBytes} wrote; beyond {@code limit} producers, those used longest ago are forgotten.
     *
     * @throws MalformedBatchException if it is something else
     * @throws java.nio.BufferUnderflowException if it is something else
     */
    static ProducerRegistry of(ByteBuffer bytes, int limit) {
        ProducerRegistry registry = new ProducerRegistry(limit);
        int count = Varints.getInt(bytes);
        for (int i = 0; i < count; i++) {
            int length = Varints.getInt(bytes);
            if (length < 0 || length > bytes.remaining()) {
                throw new MalformedBatchException("a producer's name of " + length + " bytes is not there");
            }
            byte[] name = new byte[length];
            bytes.get(name);
            registry.put(new String(name, StandardCharsets.UTF_8), ProducerHistory.readFrom(bytes));
        }
        return registry;
    }

    private void put(String producer, ProducerHistory history) {
        histories.put(producer, history);
        highest.put(producer, history.highest());
        forgetBeyondLimit();
    }

    private void forgetBeyondLimit() {
        if (histories.size() > limit) {
            String eldest = histories.keySet().iterator().next();
            histories.remove(eldest);
            highest.remove(eldest);
            forgotten.incrementAndGet();
        }
    }

    private static void write(ByteArrayOutputStream target, int capacity, Consumer<ByteBuffer> content) {
        ByteBuffer buffer = ByteBuffer.allocate(capacity);
        content.accept(buffer);
        target.write(buffer.array(), 0, buffer.position());
    }

    /** The highest sequence of the producer, -1 if none is remembered. */
    long highest(String producer) {
        ProducerHistory history = histories.get(producer);
        return history == null ? -1 : history.highest();
    }

    /**
     * The offset of a sequence not above the highest, {@link ProducerHistory#NOT_STORED}, or {@link ProducerHistory#DELETED} if only
     * records that are deleted could tell. May search the log.
     *
     * @param begin the first offset of the log
     */
    long offsetOf(ProducerSequence wanted, long begin, CursorSource log) throws IOException {
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
        long found = range.found().offsetOf(sequence);
        boolean deleted = from < begin || !range.whole();
        return found == ProducerHistory.NOT_STORED && deleted ? ProducerHistory.DELETED : found;
    }

    OptionalLong published(String producer) {
        Long sequence = highest.get(producer);
        return sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence);
    }

    long forgotten() {
        return forgotten.get();
    }

    /** Opens a cursor at an offset, or at the first one there is. */
    interface CursorSource {
        PartitionCursor open(long from);
    }

    /**
     * What of a producer is in a part of the log.
     *
     * @param whole whether every offset has a record: otherwise compaction may have removed some
     */
    private record SearchedRange(String producer, long from, long to, SequenceRun found, boolean whole) {

        boolean covers(String wanted, long first, long end) {
            return producer.equals(wanted) && from <= first && end <= to;
        }

        static SearchedRange search(CursorSource log, String producer, long from, long to) throws IOException {
            SequenceRun found = new SequenceRun();
            long records = 0;
            try (PartitionCursor cursor = log.open(from)) {
                while (cursor.position() < to) {
                    LogRecord record = cursor.next(to);
                    if (record == null) {
                        break;
                    }
                    records++;
                    ProducerSequence sequence = ProducerSequence.in(record.headers());
                    boolean rises = sequence != null
                            && sequence.producer().equals(producer)
                            && (found.size() == 0 || sequence.sequence() > found.lastSequence());
                    if (sequence != null && rises) {
                        found.add(sequence.sequence(), record.offset());
                    }
                }
            }
            return new SearchedRange(producer, from, to, found, records == to - from);
        }
    }
}
