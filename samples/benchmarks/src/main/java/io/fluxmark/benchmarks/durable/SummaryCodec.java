package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.windows.Codec;
import java.nio.ByteBuffer;

/** Results in 24 bytes. */
public final class SummaryCodec implements Codec<CountSumMax.Summary> {

    /** For a table of such results. */
    public SummaryCodec() {}

    @Override
    public String id() {
        return "count-sum-max";
    }

    @Override
    public byte[] encode(CountSumMax.Summary value) {
        return ByteBuffer.allocate(3 * Long.BYTES)
                .putLong(value.count())
                .putLong(value.sum())
                .putLong(value.max())
                .array();
    }

    @Override
    public CountSumMax.Summary decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new CountSumMax.Summary(in.getLong(), in.getLong(), in.getLong());
    }
}
