package io.fluxmark.windows;

import java.util.function.Consumer;

/** A lane that also tells the user of the counters of a keyed stage, and of what explains it. */
record ObservedLane(
        LaneContext lane, Consumer<? super LiveCounters> counting, Consumer<? super LiveExplanation> explaining)
        implements ForwardingLane {

    @Override
    public void counters(String operator, LiveCounters counters) {
        lane.counters(operator, counters);
        counting.accept(counters);
    }

    @Override
    public void explanation(LiveExplanation live) {
        lane.explanation(live);
        explaining.accept(live);
    }
}
