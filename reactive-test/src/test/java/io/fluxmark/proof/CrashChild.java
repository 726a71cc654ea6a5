package io.fluxmark.proof;

import io.fluxmark.log.EventLog;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import reactor.core.publisher.Sinks;

/**
 * Appends and runs the job at once, until it is through or killed. Says when it has begun, when a store commit begins and
 * ends, and when it is through.
 */
final class CrashChild {

    static final String BEGUN = "begun";
    static final String COMMIT_BEGINS = "<";
    static final String COMMIT_ENDS = ">";
    static final String THROUGH = "through";

    private CrashChild() {}

    /** @param args directory, number of ticks, seed, events between barriers */
    public static void main(String[] args) {
        Path directory = Path.of(args[0]);
        List<Tick> ticks = Tick.stream(Integer.parseInt(args[1]), Long.parseLong(args[2]));
        CheckpointSpec spec = CheckpointSpec.everyEvents(Long.parseLong(args[3]));
        EventLog log = EventLog.open(directory.resolve("log")).block(ProofJob.PATIENCE);
        StateStore store = StateStore.open(
                        directory.resolve("state"), StoreSpec.defaults().executor(marked(System.out)))
                .block(ProofJob.PATIENCE);
        ProofJob job = ProofJob.of(log, store);
        Sinks.Empty<Void> appended = Sinks.empty();
        job.append(ticks, 0);
        System.out.println(BEGUN);
        job.run(spec.drainWhen(appended.asMono()))
                .doOnComplete(() -> System.out.println(THROUGH))
                .subscribe(checkpoint -> {}, failure -> {
                    failure.printStackTrace();
                    Runtime.getRuntime().halt(3);
                });
        job.append(ticks);
        appended.tryEmitEmpty();
    }

    private static Executor marked(PrintStream out) {
        // Not a daemon: keeps the process alive until it is killed.
        ExecutorService thread = Executors.newSingleThreadExecutor();
        return task -> thread.execute(() -> {
            out.println(COMMIT_BEGINS);
            task.run();
            out.println(COMMIT_ENDS);
        });
    }
}
