package io.fluxmark.log.violating;

import io.fluxmark.windows.TimeWindow;

/** Breaks the arrows on purpose. */
public record LogThatKnowsWindows(TimeWindow window) {}
