package io.fluxmark.cli.store;

import io.fluxmark.cli.console.BrokenPipe;
import io.fluxmark.cli.console.Console;
import io.fluxmark.sinks.StoredJob;
import io.fluxmark.state.CorruptValueException;
import io.fluxmark.state.OfflineStore;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreLockedException;
import io.fluxmark.state.StoreSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Loggers;

/** What all commands on one store share: its directory, and what their failures mean. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true)
abstract class DirectoryCommand implements Callable<Integer> {

    static final int DAMAGED = 1;
    private static final int FAILED = 70;

    /** Of the page cache: a command reads most things once. */
    private static final int CACHE_MEGABYTES = 16;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private StoreCommand store;

    @Option(names = "--dir", paramLabel = "DIR", required = true, description = "The directory of the store.")
    @SuppressWarnings("NullAway.Init") // required option
    private Path directory;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** Does it and answers the exit code. */
    abstract int run() throws IOException;

    @Override
    public final Integer call() throws IOException {
        Loggers.useJdkLoggers(); // standard output is for results alone
        try {
            return run();
        } catch (StoreLockedException e) {
            return failed(FAILED, "the store is open in a process: stop that one first (" + e.getMessage() + ")");
        } catch (CorruptValueException e) {
            return failed(DAMAGED, String.valueOf(e.getMessage()));
        } catch (IOException | UncheckedIOException e) {
            if (BrokenPipe.isCauseOf(e)) {
                return 0; // whoever read the results has seen enough
            }
            throw e;
        } finally {
            console().err().flush();
        }
    }

    final Console console() {
        return store.console();
    }

    final Path directory() {
        return directory;
    }

    /** An option that can't be used. */
    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Fails if there is no store: none is made by looking at it. */
    final void requireStore() {
        if (!OfflineStore.exists(directory)) {
            throw usage("there is no store in " + directory + ": name the directory that StateStore.open was given");
        }
    }

    /** The store, which nobody else has open meanwhile. */
    final StateStore open() {
        requireStore();
        return get(StateStore.open(directory, StoreSpec.defaults().cacheMegabytes(CACHE_MEGABYTES)));
    }

    static List<StoredJob> jobs(StateStore store) {
        return get(store.snapshot(snapshot -> StoredJob.all(snapshot).collectList())
                .single());
    }

    static <T> T get(Mono<T> mono) {
        T value = mono.block();
        if (value == null) {
            throw new IllegalStateException("nothing was answered");
        }
        return value;
    }

    /** What there is instead of a name that is not there. */
    static String known(Flux<String> names) {
        List<String> all = get(names.distinct().sort().collectList());
        return all.isEmpty() ? "nor any other" : "but " + String.join(", ", all);
    }

    private int failed(int exit, String message) {
        console().err().println("fluxmark: " + message);
        return exit;
    }
}
