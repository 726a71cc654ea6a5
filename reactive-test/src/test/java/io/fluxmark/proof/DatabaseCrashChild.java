package io.fluxmark.proof;

import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import reactor.core.publisher.Mono;

/** Runs the job into a database until it is through or killed. */
final class DatabaseCrashChild {

    private DatabaseCrashChild() {}

    /** @param args directory, events between barriers */
    public static void main(String[] args) {
        DatabaseJob job = DatabaseJob.open(Path.of(args[0]));
        job.sink().createTable().block(ProofJob.PATIENCE);
        System.out.println(CrashChild.BEGUN);
        job.run(CheckpointSpec.everyEvents(Long.parseLong(args[1])).drainWhen(Mono.empty()))
                .blockLast(ProofJob.PATIENCE);
        System.out.println(CrashChild.THROUGH);
    }
}
