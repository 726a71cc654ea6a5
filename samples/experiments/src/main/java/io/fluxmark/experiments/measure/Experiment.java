package io.fluxmark.experiments.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** One question of the report. */
@FunctionalInterface
public interface Experiment {

    /**
     * Measures, and writes CSV files and plots into {@code directory}.
     *
     * @param out for progress
     * @return the text for the report, in Markdown
     */
    List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException;
}
