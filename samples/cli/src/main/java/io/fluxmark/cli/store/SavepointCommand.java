package io.fluxmark.cli.store;

import io.fluxmark.sinks.JobSavepoints;
import io.fluxmark.state.Savepoint;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.StateStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes a savepoint of a store that is not running. */
@Command(
        name = "savepoint",
        description = {
            "Copy the newest commit into a savepoint. A running service takes one itself, with JobSavepoints.take."
        })
final class SavepointCommand extends DirectoryCommand {

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "The directory of all savepoints.")
    @SuppressWarnings("NullAway.Init") // required option
    private Path savepoints;

    @Option(names = "--name", paramLabel = "N", required = true, description = "The savepoint's name.")
    @SuppressWarnings("NullAway.Init") // required option
    private String name;

    @Override
    int run() throws IOException {
        SavepointSpec spec;
        try {
            spec = SavepointSpec.named(name);
        } catch (IllegalArgumentException e) {
            throw usage("--name: " + e.getMessage());
        }
        Savepoint savepoint;
        try (StateStore store = open()) {
            savepoint = get(JobSavepoints.take(store, savepoints, spec));
        }
        console().print("savepoint " + savepoint.directory() + " of commit " + savepoint.commit());
        for (String job :
                savepoint.lanes().stream().map(Savepoint.Lane::job).distinct().toList()) {
            Map<Integer, Long> offsets = JobSavepoints.offsets(savepoint, job);
            console().print("job " + job + " goes on at offsets " + offsets);
        }
        console().print("digest " + JobSavepoints.digest(savepoint).orElse("unknown"));
        return 0;
    }
}
