package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of batches the records that later ones hide, and tombstones whose time is over. Counts what it does. Not thread-safe.
 *
 * <p>A batch keeps its base offset and everything its header says of producers and transactions. What Kafka's transactions wrote
 * hides nothing, since it may have been aborted, and their markers stay; records without a key stay. All of a batch that compaction
 * left without records goes, except that of a producer with an id: Kafka knows the producer's sequences from its header.
 */
final class BatchCleaner {

    private static final long NO_PRODUCER = -1;

    private final KeyOffsets latest;
    private final long end;
    private final long now;
    private final long newHorizon;

    private long records;
    private long removed;
    private long changed;
    private long tombstonesRemoved;
    private long earliestHorizon = Long.MAX_VALUE;

    /**
     * @param latest the last offsets of keys below {@code end}
     * @param end batches from here on stay as they are
     * @param now epoch ms
     * @param newHorizon when tombstones compacted for the first time may be removed, epoch ms
     */
    BatchCleaner(KeyOffsets latest, long end, long now, long newHorizon) {
        this.latest = latest;
        this.end = end;
        this.now = now;
        this.newHorizon = newHorizon;
    }

    /** The records met so far, markers apart. */
    long records() {
        return records;
    }

    long removed() {
        return removed;
    }

    /** How many batches have lost records or got a horizon. */
    long changed() {
        return changed;
    }

    long tombstonesRemoved() {
        return tombstonesRemoved;
    }

    /** When the first tombstone that is left may be removed, epoch ms, {@link Long#MAX_VALUE} if there is none. */
    long earliestHorizon() {
        return earliestHorizon;
    }

    /** The batch as it is to be, from index 0 to the limit, but for length and checksum; null if nothing is left of it. */
    @Nullable
    ByteBuffer clean(BatchView batch) throws IOException {
        if (batch.isControl()) {
            return copyOf(batch);
        }
        records += batch.recordCount();
        if (batch.baseOffset() >= end) {
            return copyOf(batch);
        }
        RecordWalk walk = batch.checkedWalk();
        BitSet kept = new BitSet(batch.recordCount());
        boolean tombstones = choose(batch, walk, kept);
        int count = kept.cardinality();
        removed += batch.recordCount() - count;
        boolean newlyMarked = tombstones && !batch.isTransactional() && !batch.hasDeleteHorizon();
        if (tombstones && !batch.isTransactional()) {
            earliestHorizon = Math.min(earliestHorizon, newlyMarked ? newHorizon : batch.baseTimestamp());
        }
        boolean same = count == batch.recordCount() && !newlyMarked;
        changed += same ? 0 : 1;
        if (count == 0 && batch.producerId() == NO_PRODUCER) {
            return null;
        }
        return same ? copyOf(batch) : write(batch, walk, kept, newlyMarked);
    }

    /** Marks the records that stay and answers whether tombstones are among them. */
    private boolean choose(BatchView batch, RecordWalk walk, BitSet kept) {
        boolean expired = batch.hasDeleteHorizon() && !batch.isTransactional() && now >= batch.baseTimestamp();
        boolean tombstones = false;
        for (int i = 0; walk.next(); i++) {
            boolean hidden = walk.hasKey() && walk.latestIn(latest) > walk.offset();
            boolean tombstone = walk.hasKey() && walk.isTombstone();
            if (hidden || (expired && tombstone)) {
                tombstonesRemoved += tombstone ? 1 : 0;
            } else {
                kept.set(i);
                tombstones |= tombstone;
            }
        }
        walk.rewind();
        return tombstones;
    }

    private ByteBuffer write(BatchView batch, RecordWalk walk, BitSet kept, boolean newlyMarked) throws IOException {
        // Timestamps are relative to the base that becomes the horizon, unless all are the same anyway.
        long shift = newlyMarked && !batch.hasAppendTime() ? batch.baseTimestamp() - newHorizon : 0;
        ByteBuffer target = ByteBuffer.allocate(
                RecordLayout.HEADER_BYTES + walk.bytes() + (shift == 0 ? 0 : kept.cardinality() * 2 * Long.BYTES));
        target.put(batch.bytes().limit(RecordLayout.HEADER_BYTES));
        long newest = Long.MIN_VALUE;
        for (int i = 0; walk.next(); i++) {
            if (kept.get(i)) {
                walk.copyTo(target, shift);
                newest = Math.max(newest, batch.baseTimestamp() + walk.timestampDelta());
            }
        }
        Compression compression = batch.compression();
        boolean compressed = BatchCompression.compress(compression, target, RecordLayout.HEADER_BYTES);
        target.flip();
        int attributes = target.getShort(RecordLayout.ATTRIBUTES) & ~RecordLayout.COMPRESSION_MASK;
        attributes |= compressed ? compression.id() : Compression.NONE.id();
        if (newlyMarked) {
            attributes |= RecordLayout.DELETE_HORIZON_FLAG;
            target.putLong(RecordLayout.BASE_TIMESTAMP, newHorizon);
        }
        if (!batch.hasAppendTime() && !kept.isEmpty()) {
            target.putLong(RecordLayout.MAX_TIMESTAMP, newest);
        }
        target.putShort(RecordLayout.ATTRIBUTES, (short) attributes);
        target.putInt(RecordLayout.RECORD_COUNT, kept.cardinality());
        return target;
    }

    private static ByteBuffer copyOf(BatchView batch) {
        return ByteBuffer.allocate(batch.length()).put(batch.bytes()).flip();
    }
}
