package io.fluxmark.experiments.frontier;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An input and what is tried on it.
 *
 * @param thin the same input with fewer events, for the sizes of windows that are only there for comparison
 * @param law what its delays follow, or null where nobody knows
 * @param size of the windows that the report speaks of
 * @param sizes of all windows that are tried
 * @param delays out-of-orderness bounds that are tried
 * @param early the bound at which policies are compared
 * @param lateness for how long results are corrected there
 */
record Subject(
        Input input,
        Input thin,
        @Nullable LatenessLaw law,
        Duration size,
        List<Duration> sizes,
        List<Duration> delays,
        Duration early,
        Duration lateness) {

    Input inputFor(Duration windows) {
        return windows.equals(size) ? input : thin;
    }
}
