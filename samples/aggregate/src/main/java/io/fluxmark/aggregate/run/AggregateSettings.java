package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.WindowText;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * All of a run of {@code fluxmark aggregate}.
 *
 * @param input where events come from
 * @param pipeline what runs
 * @param windows the windows, as named
 * @param output where results go, or null for standard output
 * @param lateOutput where late events go, or null
 * @param summary where the summary goes, or null
 * @param check whether the output is held against the batch result
 * @param explain whether it is told why the windows stand where they do when the input ends
 * @param failFast whether the first rejected line ends the run
 */
public record AggregateSettings(
        InputSettings input,
        PipelineSettings pipeline,
        WindowText windows,
        @Nullable Path output,
        @Nullable Path lateOutput,
        @Nullable Path summary,
        boolean check,
        boolean explain,
        boolean failFast) {}
