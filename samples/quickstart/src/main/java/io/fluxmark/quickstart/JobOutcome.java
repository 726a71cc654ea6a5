package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Cell;
import java.util.Map;

/**
 * What a finished job has committed.
 *
 * @param rows the latest value per airport and window
 * @param counts what became of its events
 */
record JobOutcome(Map<Cell, Stats> rows, Counts counts) {}
