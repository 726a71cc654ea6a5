package io.fluxmark.quickstart.plain;

import java.util.List;

/**
 * The verdict on every flight, found by walking each partition in file order.
 *
 * <p>A partition's watermark before a flight is {@code highest event time so far - delay - 1}. A flight is dropped if
 * the watermark has reached its window's last millisecond plus the lateness, corrects a result if it has only reached
 * the last millisecond, and is on time otherwise.
 */
public final class Judgement {

    private final Verdict[] verdicts;
    private final long[] watermarks;

    private Judgement(Verdict[] verdicts, long[] watermarks) {
        this.verdicts = verdicts;
        this.watermarks = watermarks;
    }

    /**
     * Judges all flights; rows must run from 1 without gaps.
     *
     * @param delayMillis bound on disorder that the watermark waits for
     * @param latenessMillis how long after firing a window still takes corrections
     * @param sizeMillis length of a window
     */
    public static Judgement of(
            List<Flight> flights, PlainPartitions partitions, long delayMillis, long latenessMillis, long sizeMillis) {
        Verdict[] verdicts = new Verdict[flights.size()];
        long[] highest = new long[partitions.count()];
        boolean[] seen = new boolean[partitions.count()];
        for (int i = 0; i < verdicts.length; i++) {
            Flight flight = flights.get(i);
            int partition = partitions.of(flight.origin());
            long last = flight.eventMillis() - Math.floorMod(flight.eventMillis(), sizeMillis) + sizeMillis - 1;
            long watermark = highest[partition] - delayMillis - 1;
            if (!seen[partition] || watermark < last) {
                verdicts[i] = Verdict.ON_TIME;
            } else {
                verdicts[i] = watermark < last + latenessMillis ? Verdict.REFIRED : Verdict.DROPPED;
            }
            highest[partition] =
                    seen[partition] ? Math.max(highest[partition], flight.eventMillis()) : flight.eventMillis();
            seen[partition] = true;
        }
        for (int p = 0; p < highest.length; p++) {
            highest[p] = seen[p] ? highest[p] - delayMillis - 1 : Long.MIN_VALUE;
        }
        return new Judgement(verdicts, highest);
    }

    /** The verdict on one flight. */
    public Verdict on(Flight flight) {
        return verdicts[(int) flight.row() - 1];
    }

    /** Whether the flight is in the final result. */
    public boolean accepts(Flight flight) {
        return on(flight) != Verdict.DROPPED;
    }

    /** How many flights got this verdict. */
    public long count(Verdict verdict) {
        long count = 0;
        for (Verdict each : verdicts) {
            if (each == verdict) {
                count++;
            }
        }
        return count;
    }

    /** The watermark of a partition after its last flight, epoch ms; {@link Long#MIN_VALUE} if it had none. */
    public long lastWatermark(int partition) {
        return watermarks[partition];
    }
}
