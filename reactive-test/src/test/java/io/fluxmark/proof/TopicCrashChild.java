package io.fluxmark.proof;

import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import reactor.core.publisher.Mono;

/** Runs the job into a topic until it is through or killed. */
final class TopicCrashChild {

    private TopicCrashChild() {}

    /** @param args directory, events between barriers */
    public static void main(String[] args) {
        TopicJob job = TopicJob.open(Path.of(args[0]));
        System.out.println(CrashChild.BEGUN);
        job.run(CheckpointSpec.everyEvents(Long.parseLong(args[1])).drainWhen(Mono.empty()))
                .blockLast(ProofJob.PATIENCE);
        System.out.println(CrashChild.THROUGH);
    }
}
