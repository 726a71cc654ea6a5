package io.fluxmark.windows;

/**
 * A lane as the stages before one see it that has announced how many events a run had better hold.
 *
 * @param lane the lane as the stage itself has it
 * @param runSize the fewest that this stage or one behind it has announced
 */
record AnnouncedLane(LaneContext lane, int runSize) implements ForwardingLane {

    /** The lane for the stages before one that wants runs of at most {@code most} events. */
    static LaneContext of(LaneContext lane, int most) {
        return most < lane.runSize() ? new AnnouncedLane(lane, most) : lane;
    }

    /** Whether a stage may have runs wait in it: not where a barrier would come behind them that is waited for. */
    static boolean asksAhead(LaneContext lane) {
        return lane.runSize() == LaneContext.ANY_RUN_SIZE;
    }
}
