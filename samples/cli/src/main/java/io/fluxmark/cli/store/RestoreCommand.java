package io.fluxmark.cli.store;

import io.fluxmark.sinks.JobSavepoints;
import io.fluxmark.state.RestoreSpec;
import io.fluxmark.state.Savepoint;
import io.fluxmark.state.Savepoints;
import io.fluxmark.state.StateStoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a store of a savepoint. */
@Command(
        name = "restore",
        description = {
            "Make a store of a savepoint in a directory that has none. Jobs go on where the savepoint has them, under the names",
            "they had or others."
        })
final class RestoreCommand extends DirectoryCommand {

    @Option(names = "--savepoint", paramLabel = "DIR", required = true, description = "The savepoint.")
    @SuppressWarnings("NullAway.Init") // required option
    private Path savepoint;

    @Option(names = "--rename", paramLabel = "JOB=NAME", description = "Give a job another name; may be repeated.")
    private Map<String, String> names = new LinkedHashMap<>();

    @Override
    int run() throws IOException {
        Savepoint found = read();
        RestoreSpec spec = RestoreSpec.defaults();
        for (Map.Entry<String, String> name : names.entrySet()) {
            try {
                spec = spec.rename(name.getKey(), name.getValue());
            } catch (IllegalArgumentException e) {
                throw usage("--rename " + name.getKey() + "=" + name.getValue() + ": " + e.getMessage());
            }
        }
        Savepoints.restore(found, directory(), spec).block();
        console().print("restored commit " + found.commit() + " to " + directory());
        for (Map.Entry<String, String> name : names.entrySet()) {
            console().print("job " + name.getKey() + " is now " + name.getValue());
        }
        console().print("digest " + JobSavepoints.digest(found).orElse("unknown"));
        return 0;
    }

    private Savepoint read() {
        try {
            return Savepoints.read(savepoint);
        } catch (StateStoreException e) {
            throw usage("--savepoint: " + e.getMessage());
        }
    }
}
