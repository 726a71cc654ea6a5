package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Arrival;

/**
 * Events in order of arrival, and the span of event time that is judged: the windows in it fire before the input ends,
 * even with the longest delay.
 *
 * @param name what it is called in files and the report
 * @param arrivals may be gone through any number of times
 * @param from start of the judged span, epoch ms: a multiple of all window sizes
 * @param until its end
 */
record Input(String name, Iterable<Arrival> arrivals, long from, long until) {

    boolean judges(long eventMillis) {
        return eventMillis >= from && eventMillis < until;
    }

    /** How many events there are in the judged span: the truth that counts are compared with. */
    long judgedEvents() {
        long events = 0;
        for (Arrival arrival : arrivals) {
            events += judges(arrival.eventMillis()) ? 1 : 0;
        }
        return events;
    }
}
