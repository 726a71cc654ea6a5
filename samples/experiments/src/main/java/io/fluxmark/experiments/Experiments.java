package io.fluxmark.experiments;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The experiments that can be run, by name. */
public final class Experiments {

    private static final Map<String, Supplier<Experiment>> ALL = new TreeMap<>(Map.of("E1", WrongClock::new));

    private Experiments() {}

    /** The names that {@link #run} takes. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * Measures one experiment, writes its files into {@code directory} and its text into the section of {@code report}
     * that is set aside for it. Without that file, or without such a section, the text is only printed.
     */
    public static void run(String name, Path directory, Path report, PrintStream out) throws IOException {
        Supplier<Experiment> experiment = ALL.get(name);
        if (experiment == null) {
            throw new IllegalArgumentException("'" + name + "' is no measured experiment: use one of " + names() + ".");
        }
        Files.createDirectories(directory);
        List<String> text = experiment.get().measure(directory, out);
        text.forEach(out::println);
        out.println();
        out.println("Files are in " + directory + ".");
        if (new ReportSection(report, name).fill(text)) {
            out.println("Section " + name + " of " + report + " is filled.");
        } else {
            out.println(report + " has no section between <!-- " + name + " --> and <!-- /" + name
                    + " -->: nothing was written into it.");
        }
    }
}
