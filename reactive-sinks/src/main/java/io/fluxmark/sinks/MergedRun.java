package io.fluxmark.sinks;

import io.fluxmark.log.RecordRun;
import io.fluxmark.windows.MergedEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of records of one partition.
 *
 * @param events what they were made into, where that was done ahead; else null
 */
record MergedRun<T>(RecordRun records, @Nullable List<MergedEvent<T>> events) {}
