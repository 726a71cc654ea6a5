package io.fluxmark.benchmarks.state;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures both sides, each in a process of its own, and shows the ratio. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Update keyed state that is far larger than the heap, with Fluxmark and then with Flink on RocksDB: same keys,",
            "same heap, one lane against parallelism 1, a commit or an incremental checkpoint each second.",
            "Exit code 0 if both hold every update once, 1 if not."
        })
final class StatePeers implements Callable<Integer> {

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "20000000",
            description = "Entries (default: ${DEFAULT-VALUE}).")
    private long keys;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "Time for each choice of keys (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "512m",
            description = "-Xmx of both (default: ${DEFAULT-VALUE}).")
    private String heap = "";

    @Option(
            names = "--state-mb",
            paramLabel = "N",
            defaultValue = "64",
            description = "Fluxmark: heap for entries in MiB (default: ${DEFAULT-VALUE}).")
    private int stateMegabytes;

    @Option(
            names = "--cache-mb",
            paramLabel = "N",
            defaultValue = "64",
            description = "Fluxmark: heap for pages in MiB (default: ${DEFAULT-VALUE}).")
    private int cacheMegabytes;

    @Option(
            names = "--managed-mb",
            paramLabel = "N",
            defaultValue = "128",
            description = "Flink: memory of RocksDB beside the heap in MiB (default: ${DEFAULT-VALUE}).")
    private int managedMegabytes;

    @Option(names = "--flink", paramLabel = "KEY=VALUE", description = "Flink: a setting of its own; may be repeated.")
    private List<String> flinkSettings = new ArrayList<>();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "Where both write, up to 20 GB, and delete (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private Path directory;

    private StatePeers() {}

    /** See {@code --help}. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new StatePeers()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        StateFigures fluxmark = run(
                FluxmarkSide.class,
                List.of("" + keys, "" + seconds, "" + stateMegabytes, "" + cacheMegabytes, directory.toString()));
        List<String> forFlink =
                new ArrayList<>(List.of("" + keys, "" + seconds, "" + managedMegabytes, directory.toString()));
        forFlink.addAll(flinkSettings);
        StateFigures flink = run(FlinkSide.class, forFlink);
        print("%-26s %14s %14s %10s", "updates/s", "Fluxmark", "Flink", "ratio");
        compare("each key once, in order", fluxmark, flink, StateFigures::fill);
        compare(KeyChoice.UNIFORM.toString(), fluxmark, flink, StateFigures::uniform);
        compare(KeyChoice.HOT_SET.toString(), fluxmark, flink, StateFigures::hotSet);
        print("%-26s %,14.2f %,14.2f", "restart, seconds", fluxmark.restartSeconds(), flink.restartSeconds());
        return fluxmark.equal() && flink.equal() ? 0 : 1;
    }

    private static void compare(
            String title, StateFigures fluxmark, StateFigures flink, ToDoubleFunction<StateFigures> rate) {
        double own = rate.applyAsDouble(fluxmark);
        double other = rate.applyAsDouble(flink);
        print("%-26s %,14.0f %,14.0f %10.2f", title, own, other, own / other);
    }

    private StateFigures run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        StateFigures figures = null;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (StateFigures.isLine(line)) {
                    figures = StateFigures.parse(line);
                } else {
                    System.out.println(line);
                }
            }
        } finally {
            process.destroy();
        }
        int exit = process.waitFor();
        if (figures == null) {
            throw new IllegalStateException(main.getSimpleName() + " ended with exit code " + exit
                    + " before it had any figures; its output says why");
        }
        System.out.println();
        return figures;
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
