package io.fluxmark.cli.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A page of docs/ whose commands are run from top to bottom: in blocks of {@code console}, lines that begin with {@code $}
 * are commands, and what follows is what they print. Paths below {@code data} are in a directory of the test's.
 */
public final class DocumentedPage {

    private static final String COMMAND = "./fluxmark ";

    private final Path directory;
    private final Runner runner;
    private final Set<String> used = new TreeSet<>();
    private int exit;

    /** @param directory where {@code data} is, and where commands of the shell run */
    public DocumentedPage(Path directory, Runner runner) {
        this.directory = directory;
        this.runner = runner;
    }

    /** Runs {@code fluxmark}. */
    public interface Runner {
        Run run(String input, String... args);
    }

    /** What a run left: its exit code, and what a terminal would show. */
    public record Run(int exit, String output) {}

    /** The subcommands that were used. */
    public Set<String> used() {
        return used;
    }

    /** The page with what commands really print. */
    public String replayed(String page) throws Exception {
        List<String> result = new ArrayList<>();
        boolean console = false;
        List<String> lines = page.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (console && line.startsWith("$ cat ")) {
                // The page is where this file comes from.
                List<String> content = new ArrayList<>();
                while (!lines.get(i + 1).startsWith("$ ")) {
                    content.add(lines.get(++i));
                }
                Files.write(directory.resolve(line.substring("$ cat ".length())), content);
                result.add(line);
                result.addAll(content);
            } else if (console && line.startsWith("$ ")) {
                result.add(line);
                result.addAll(normalised(output(line.substring(2))));
            } else if (!console || line.equals("```")) {
                console = line.equals("```console");
                result.add(line);
            }
        }
        return String.join("\n", result) + "\n";
    }

    private String output(String command) throws Exception {
        if (command.equals("echo $?")) {
            return Integer.toString(exit);
        }
        if (!command.startsWith(COMMAND)) {
            return shell(command);
        }
        String[] parts = command.substring(COMMAND.length()).split(" < ", -1);
        String[] words = parts[0].split(" ", -1);
        used.add(words[1]);
        String[] args = Arrays.stream(words)
                .map(word -> word.equals("data") || word.startsWith("data/")
                        ? directory.resolve(word).toString()
                        : word)
                .toArray(String[]::new);
        String input = parts.length == 1 ? "" : Files.readString(directory.resolve(parts[1]));
        Run run = runner.run(input, args);
        exit = run.exit();
        return run.output();
    }

    private String shell(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("bash", "-c", command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        exit = process.waitFor();
        return output;
    }

    /** The only difference to what a reader sees: where the temporary directory lies. */
    private List<String> normalised(String output) {
        return output.replace(directory + "/", "").lines().toList();
    }
}
