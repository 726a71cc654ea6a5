package io.fluxmark.state.violating;

import io.fluxmark.log.LogRecord;

/** Breaks the arrows on purpose. */
public record StateThatKnowsTheLog(LogRecord record) {}
