package io.fluxmark.benchmarks.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The job under measurement, parallelism 1, on a cluster within this process. */
final class FlinkJob {

    private final JobClient client;

    private FlinkJob(JobClient client) {
        this.client = client;
    }

    /**
     * Starts it.
     *
     * @param check whether the state is to be added up behind the last update
     */
    @SuppressWarnings("deprecation") // see UpdateSource
    static FlinkJob start(Configuration configuration, UpdateSource source, boolean check) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        environment
                .addSource(source, "updates", Types.LONG)
                .uid("updates")
                .keyBy(key -> key, Types.LONG)
                .transform("counts", Types.LONG, new CountingOperator(check))
                .uid("counts")
                .sinkTo(new DiscardingSink<>());
        return new FlinkJob(environment.executeAsync("state"));
    }

    /** Throws why the job has ended, if it has. */
    void check() throws ExecutionException, InterruptedException {
        if (client.getJobExecutionResult().isDone()) {
            client.getJobExecutionResult().get();
            throw new IllegalStateException("the job has ended");
        }
    }

    /** Ends the job and its cluster; its checkpoints stay. */
    void cancel() throws ExecutionException, InterruptedException {
        client.cancel().get();
        client.getJobExecutionResult().handle((result, failure) -> 0).get();
    }

    /** The newest complete checkpoint of this job. */
    Path newestCheckpoint(Path directory) throws IOException {
        Path own =
                FlinkSettings.checkpoints(directory).resolve(client.getJobID().toString());
        try (Stream<Path> checkpoints = Files.list(own)) {
            return checkpoints
                    .filter(path -> Files.exists(path.resolve("_metadata")))
                    .max(Comparator.comparingLong(FlinkJob::number))
                    .orElseThrow(() -> new IllegalStateException("no checkpoint in " + own));
        }
    }

    private static long number(Path checkpoint) {
        String name = checkpoint.getFileName().toString();
        return Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
    }
}
