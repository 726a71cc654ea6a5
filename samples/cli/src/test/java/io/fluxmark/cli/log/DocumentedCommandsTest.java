package io.fluxmark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The page docs/log.md, from top to bottom: each command prints what stands there. */
class DocumentedCommandsTest {

    private static final Path PAGE = Path.of("../../docs/log.md");
    private static final String COMMAND = "./fluxmark ";

    @TempDir
    Path directory;

    private final LogRuns runs = new LogRuns();
    private final Set<String> used = new TreeSet<>();
    private int exit;

    @Test
    void everyCommandPrintsWhatThePageSays() throws Exception {
        String page = Files.readString(PAGE);
        assertThat(replayed(page)).isEqualTo(page);
        assertThat(used)
                .as("commands with an example")
                .isEqualTo(new TreeSet<>(
                        new CommandLine(new LogCommand()).getSubcommands().keySet()));
    }

    /** The page with what commands really print. */
    private String replayed(String page) throws Exception {
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
                .map(word -> word.equals("data") ? directory.resolve(word).toString() : word)
                .toArray(String[]::new);
        String input = parts.length == 1 ? "" : Files.readString(directory.resolve(parts[1]));
        LogRuns.Run run = runs.run(input, args);
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
