package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimestampFunction;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import java.time.Duration;
import reactor.core.publisher.Flux;

/**
 * How long events wait for the watermark: how far the largest time has gone beyond an event's own when the watermark comes to it.
 * Events that are behind it when they come are late and wait for nothing; those that it never comes to are left out.
 */
final class Waits {

    private final Input input;
    private final long step;
    private final long begin;

    /** How many events wait, by their time. */
    private final int[] waiting;

    private int next;
    private long largest = Long.MIN_VALUE;
    private long watermark = Watermark.NONE;
    private long events;
    private long late;
    private long stepsBack;
    private long waited;
    private double sum;

    /** @param step all times are multiples of it, ms */
    Waits(Input input, long step) {
        this.input = input;
        this.step = step;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Arrival arrival : input.arrivals()) {
            first = Math.min(first, arrival.eventMillis());
            last = Math.max(last, arrival.eventMillis());
        }
        this.begin = first;
        this.waiting = new int[(int) ((last - first) / step) + 1];
    }

    void run(WatermarkSpec spec, TimestampFunction<Arrival> time) {
        EventFlux.from(Flux.fromIterable(input.arrivals()))
                .watermarksMillis(time, spec)
                .elements()
                .doOnNext(this::take)
                .blockLast(Duration.ofMinutes(5));
    }

    private void take(StreamElement<Arrival> element) {
        if (element instanceof EventBatch<Arrival> run) {
            for (int i = 0; i < run.size(); i++) {
                take(
                        run.timestamp(i),
                        run.watermarkBefore(i),
                        i + 1 < run.size() ? run.watermarkBefore(i + 1) : run.watermarkAfter());
            }
        }
    }

    private void take(long timestamp, long before, long after) {
        stepsBack += before < watermark || after < before ? 1 : 0;
        events++;
        largest = Math.max(largest, timestamp);
        if (Watermark.isLate(before, timestamp)) {
            late++;
        } else {
            waiting[(int) ((timestamp - begin) / step)]++;
        }
        watermark = after;
        while (next < waiting.length && Watermark.isLate(watermark, begin + next * step)) {
            waited += waiting[next];
            sum += (double) waiting[next] * (largest - begin - next * step - 1);
            next++;
        }
    }

    long events() {
        return events;
    }

    /** The share of events that were in time. */
    double completeness() {
        return 1 - (double) late / events;
    }

    /** How often the watermark stepped back. */
    long stepsBack() {
        return stepsBack;
    }

    /** The mean wait, ms. */
    double mean() {
        return sum / waited;
    }
}
