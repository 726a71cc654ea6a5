package io.fluxmark.sinks;

import io.fluxmark.state.OperatorLongs;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one lane of a job has committed, as the store alone says it.
 *
 * @param job the job's name
 * @param lane the lane's number, from 0
 * @param transaction the number of its newest durable transaction, 0 before the first
 * @param offsets by partition, the offset of the first record that is not part of it; of two topics that are joined the
 *     partitions are numbered through, those of the left one first
 * @param finished whether the lane was drained: every window has fired
 * @param maxima the largest timestamp, epoch ms, by operator that gives events their time; {@link Long#MIN_VALUE} before
 *     the first event
 * @param watermarks the watermark, epoch ms, of each operator that has one
 * @param counters what each operator has counted
 */
public record CommittedLane(
        String job,
        int lane,
        long transaction,
        Map<Integer, Long> offsets,
        boolean finished,
        Map<String, Long> maxima,
        Map<String, Long> watermarks,
        Map<String, Counters> counters) {

    /** Copies the maps. */
    public CommittedLane {
        offsets = Map.copyOf(offsets);
        maxima = Map.copyOf(maxima);
        watermarks = Map.copyOf(watermarks);
        counters = Map.copyOf(counters);
    }

    /** How far all of the lane's results are complete: the lowest watermark of its operators, {@link Watermark#NONE} if none has one. */
    public long watermark() {
        return watermarks.values().stream().reduce(Watermark::earlier).orElse(Watermark.NONE);
    }

    static CommittedLane of(String job, int lane, List<OperatorLongs> values) {
        LanePosition position = LanePosition.BEGIN;
        long[] numbers = {};
        Map<String, Long> maxima = new TreeMap<>();
        Map<String, Long> watermarks = new TreeMap<>();
        Map<String, Counters> counters = new TreeMap<>();
        for (OperatorLongs value : values) {
            String operator = value.operator();
            long[] longs = value.values();
            if (operator.equals(LanePosition.OPERATOR)) {
                if (value.name().equals(LanePosition.NAME)) {
                    position = LanePosition.of(longs);
                } else if (value.name().equals(LanePosition.NUMBERS)) {
                    numbers = longs;
                }
                continue;
            }
            switch (value.name()) {
                case WatermarkSpec.STATE_NAME -> {
                    maxima.put(operator, longs[0]);
                    watermarks.put(operator, longs[1]);
                }
                case Watermark.STATE_NAME -> watermarks.put(operator, longs[0]);
                case LiveCounters.STATE_NAME -> counters.put(operator, Counters.ofArray(longs));
                default -> {
                    // an operator's own affair
                }
            }
        }
        return new CommittedLane(
                job,
                lane,
                position.transaction(),
                offsets(lane, position.withNumbers(numbers)),
                position.finished(),
                maxima,
                watermarks,
                counters);
    }

    /** One that is over several partitions of one topic is the first, and is over those from its number on. */
    private static Map<Integer, Long> offsets(int lane, LanePosition position) {
        Map<Integer, Long> offsets = new TreeMap<>();
        for (int i = 0; i < Math.max(1, position.partitions().size()); i++) {
            offsets.put(position.number(lane, i), position.nextOffset(i));
        }
        return offsets;
    }
}
