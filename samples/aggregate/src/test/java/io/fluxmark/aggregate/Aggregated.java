package io.fluxmark.aggregate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** What a run of the command on a small file has left behind. */
record Aggregated(int exit, List<String> lines, List<String> late, JsonNode summary, String err) {

    private static final JsonMapper MAPPER = new JsonMapper();

    /** Runs {@code aggregate} in {@code directory} on a file of {@code name} with {@code content}. */
    static Aggregated of(Path directory, String name, String content, String... options) {
        try {
            Path input = Files.writeString(directory.resolve(name), content);
            return of(directory, input, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Aggregated of(Path directory, Path input, String... options) throws IOException {
        Path output = directory.resolve("out.ndjson");
        Path late = directory.resolve("late.ndjson");
        Path summary = directory.resolve("summary.json");
        for (Path old : List.of(output, late, summary)) {
            Files.deleteIfExists(old);
        }
        List<String> args = new ArrayList<>(
                List.of("--input", input.toString(), "--output", output.toString(), "--summary", summary.toString()));
        for (String option : options) {
            args.add(option.equals("LATE") ? late.toString() : option);
        }
        StringWriter err = new StringWriter();
        int exit = execute(new AggregateCommand(), err, args.toArray(String[]::new));
        return new Aggregated(
                exit,
                lines(output),
                lines(late),
                Files.exists(summary) ? MAPPER.readTree(summary.toFile()) : MAPPER.nullNode(),
                err.toString());
    }

    /** Exit codes as the command line of the sample has them. */
    static int execute(Object command, StringWriter err, String... args) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setErr(new PrintWriter(err, true))
                .setParameterExceptionHandler((e, a) -> {
                    e.getCommandLine().getErr().println(e.getMessage());
                    return 64;
                })
                .setExecutionExceptionHandler((e, c, p) -> {
                    e.printStackTrace(c.getErr());
                    return 70;
                })
                .execute(args);
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** The emissions in the short form of the semantics: {@code +[0,10):2}, {@code -[0,10):2}; key and value as asked. */
    List<String> emissions() {
        return lines.stream().map(Aggregated::emission).toList();
    }

    private static String emission(String line) {
        JsonNode node = read(line);
        String sign = node.get("kind").asText().equals("RETRACT") ? "-" : "+";
        JsonNode count = node.get("value").elements().next();
        return sign + node.get("key").asText() + "[" + node.get("start") + "," + node.get("end") + "):" + count;
    }

    /** Each line as JSON. */
    List<JsonNode> json() {
        return lines.stream().map(Aggregated::read).toList();
    }

    /** The values of one member of each line, as text. */
    List<String> member(String name) {
        return json().stream().map(node -> node.get(name).asText()).toList();
    }

    static JsonNode read(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long count(String name) {
        return summary.get(name).asLong();
    }

    /** The sum of S12 over the summary. */
    boolean sumHolds() {
        long outcomes = count("accepted")
                + count("dropped")
                + count("side")
                + count("rejected")
                + count("unassigned")
                + count("duplicates");
        return summary.get("sumHolds").asBoolean()
                && outcomes == count("ingested")
                && count("accepted") == count("onTime") + count("refired");
    }

    /** One JSON line per event time, of key a. */
    static String events(long... times) {
        StringBuilder text = new StringBuilder();
        for (long time : times) {
            text.append("{\"t\":").append(time).append(",\"k\":\"a\"}\n");
        }
        return text.toString();
    }
}
