package io.fluxmark.quickstart;

import io.fluxmark.windows.Codec;
import java.nio.ByteBuffer;

/** {@link Stats} as a long and a double, sixteen bytes. */
final class StatsCodec implements Codec<Stats> {

    private static final int BYTES = Long.BYTES + Double.BYTES;

    @Override
    public String id() {
        return "flight-stats-1";
    }

    @Override
    public byte[] encode(Stats stats) {
        return ByteBuffer.allocate(BYTES)
                .putLong(stats.departures())
                .putDouble(stats.averageDelay())
                .array();
    }

    @Override
    public Stats decode(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("Stats are " + BYTES + " bytes but here are " + bytes.length
                    + ": the value was written by another codec.");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Stats(buffer.getLong(), buffer.getDouble());
    }
}
