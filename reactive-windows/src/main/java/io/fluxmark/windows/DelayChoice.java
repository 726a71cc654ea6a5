package io.fluxmark.windows;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * What has been chosen for one partition whose delay is found from its events, as an {@link Explanation} tells it.
 *
 * @param delayMillis the delay in force: how far the watermark stays behind the largest timestamp, ms
 * @param proposedMillis what the most recent events ask for, ms; -1 while too little has been seen to tell
 * @param changes how often the delay in force has changed
 * @param events how many events there have been
 * @param behind how many of them were behind the watermark when they came
 * @param wanted the share of events that is not to be
 */
public record DelayChoice(
        long delayMillis, long proposedMillis, long changes, long events, long behind, double wanted) {

    /** Whether there has been too little to tell: the longest delay is in force. */
    public boolean isLearning() {
        return proposedMillis < 0;
    }

    /** The share of events that were in time; 1 without events. */
    public double completeness() {
        return events == 0 ? 1 : 1 - (double) behind / events;
    }

    /** A share as a percentage, in a few digits. */
    static String percent(double share) {
        return new BigDecimal(100 * share)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
