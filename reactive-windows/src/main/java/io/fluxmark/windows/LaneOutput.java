package io.fluxmark.windows;

import java.util.List;

/**
 * A run of what a key group has emitted.
 *
 * @param <R> the values
 */
record LaneOutput<R>(List<LaneItem> items) implements StreamElement<R> {}
