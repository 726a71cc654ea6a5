package io.fluxmark.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A JVM to be started, killed and started again: what a crash test does to a main class of the test's class path.
 * Immutable: every {@link #start} is a new process.
 *
 * <pre>{@code
 * ChildJvm writer = ChildJvm.of(Writer.class).args(directory.toString()).heap("128m");
 * try (RunningJvm child = writer.start()) {
 *     child.awaitLine(line -> line.equals("commit 7"), ofSeconds(30));
 *     child.kill(ofSeconds(10));
 * }
 * try (RunningJvm again = writer.start()) {
 *     assertThat(again.awaitExit(ofSeconds(60))).isZero();
 * }
 * }</pre>
 */
public final class ChildJvm {

    private static final int MAX_LINES = 1_000_000;

    private final String mainClass;
    private final List<String> options;
    private final List<String> arguments;
    private final int maxLines;

    private ChildJvm(String mainClass, List<String> options, List<String> arguments, int maxLines) {
        this.mainClass = mainClass;
        this.options = options;
        this.arguments = arguments;
        this.maxLines = maxLines;
    }

    /** {@code main(String[])} of a class, on the class path of this JVM, with this JVM's java. */
    public static ChildJvm of(Class<?> mainClass) {
        return new ChildJvm(mainClass.getName(), List.of(), List.of(), MAX_LINES);
    }

    /** The arguments of main. */
    public ChildJvm args(String... values) {
        return new ChildJvm(mainClass, options, List.of(values), maxLines);
    }

    /** The largest heap, as in {@code -Xmx}: a number and k, m or g. */
    public ChildJvm heap(String size) {
        if (!size.matches("[1-9][0-9]*[kmg]")) {
            throw new IllegalArgumentException("a heap is a number with k, m or g, like 64m, but was '" + size + "'");
        }
        return option("-Xmx" + size);
    }

    /** A system property. */
    public ChildJvm property(String name, String value) {
        return option("-D" + name + "=" + value);
    }

    /** Any option of {@code java}. */
    public ChildJvm option(String option) {
        List<String> more = new ArrayList<>(options);
        more.add(Objects.requireNonNull(option, "option"));
        return new ChildJvm(mainClass, List.copyOf(more), arguments, maxLines);
    }

    /** How many lines of output are kept; a child that prints more is killed. A million by default. */
    public ChildJvm maxLines(int lines) {
        if (lines < 1) {
            throw new IllegalArgumentException("at least 1 line is kept but was told " + lines);
        }
        return new ChildJvm(mainClass, options, arguments, lines);
    }

    /** Starts the process; standard error is read as part of the output. */
    public RunningJvm start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new RunningJvm(this, process, maxLines);
        } catch (IOException e) {
            throw new UncheckedIOException("can't start " + this + " with " + command.get(0), e);
        }
    }

    @Override
    public String toString() {
        return "child JVM " + mainClass + " " + String.join(" ", arguments);
    }
}
