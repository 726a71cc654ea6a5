package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.KeyedStage;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a job is, of a pipeline that has not run and of the store that it has run on. */
class JobDescriptionTest {

    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(5)
            .orEvery(Duration.ofSeconds(3))
            .timeout(Duration.ofSeconds(20))
            .named("described");

    @TempDir
    Path directory;

    private TickJob job;

    @BeforeEach
    void open() {
        job = TickJob.open(directory, 2);
        job.windows = TickJob.TEN.allowedLateness(Duration.ofMillis(20));
    }

    @AfterEach
    void close() {
        job.close();
    }

    private TransactionalSink<WindowResult<String, Long>> sink() {
        return job.table("counts").and(job.changelog("changes"));
    }

    private StoredJob stored() {
        return job.store.snapshot(snapshot -> StoredJob.all(snapshot)).single().block(TickJob.PATIENCE);
    }

    @Test
    void aPipelineSaysWhatItIsBeforeItRunsAndItsStoreSaysTheSameAfterwards() {
        JobDescription before = sink().describe(job.counts(), SPEC);
        assertThat(before)
                .isEqualTo(new JobDescription(
                        "described",
                        "ticks",
                        2,
                        false,
                        List.of(new KeyedStage("window-2", "tagged", job.windows.toString(), 20, "counting")),
                        before.outputs(),
                        new JobDescription.Commits(5, Long.MAX_VALUE, 3_000, false, 20_000)));
        assertThat(before.outputs())
                .extracting(output -> output.kind() + " " + output.name())
                .containsExactly("table counts", "changelog changes");
        assertThat(job.store.snapshot(snapshot -> StoredJob.all(snapshot)).blockFirst(TickJob.PATIENCE))
                .as("nothing has run")
                .isNull();

        job.append("k@1", "k@2", "k@33");
        job.run(sink(), SPEC.drainWhen(Mono.empty())).blockLast(TickJob.PATIENCE);
        assertThat(stored().description()).isEqualTo(before);
        Explanation explained = job.explanations.get(0).explain().block(TickJob.PATIENCE);
        KeyedStage stage = before.stages().get(0);
        assertThat(explained.operator()).isEqualTo(stage.operator());
        assertThat(String.valueOf(explained.windows())).isEqualTo(stage.windows());
        assertThat(before.text().lines().toList().get(1))
                .startsWith(explained.operator() + " (" + explained.windows() + ")");
        assertThat(before.text())
                .startsWith("reads topic ticks, 2 partitions, each in a lane\n")
                .endsWith("commits every PT3S, behind 5 events of a lane, for at most PT20S");
    }

    @Test
    void theStoreTellsOfTheJobAsItRanLast() {
        job.append("k@1", "k@2");
        job.run(sink(), SPEC.stopWhen(Mono.never()).orWhen(Mono.just(1))).blockFirst(TickJob.PATIENCE);
        job.windows = TickJob.TEN.allowedLateness(Duration.ofMillis(50));
        CheckpointSpec other = CheckpointSpec.everyBytes(1_000).stopTheWorld().named("described");
        job.append(1, List.of("j@1"));
        job.run(sink(), other.drainWhen(Mono.empty())).blockLast(TickJob.PATIENCE);
        JobDescription description = stored().description();
        assertThat(description).isEqualTo(sink().describe(job.counts(), other));
        assertThat(description.stages().get(0).allowedLatenessMillis()).isEqualTo(50);
        assertThat(description.text()).contains("behind 1,000 bytes").contains("waiting for each");
    }

    @Test
    void functionsAndSeveralStagesAreThereInTheirOrder() {
        KeyedProcess<String, TickJob.Tick, WindowResult<String, Long>> nothing = new KeyedProcess<>() {
            @Override
            public void onEvent(TickJob.Tick tick, ProcessContext<String, WindowResult<String, Long>> context) {
                // emits nothing
            }

            @Override
            public String id() {
                return "nothing";
            }
        };
        EventFlux<WindowResult<String, Long>> results = LogSource.of(job.topic)
                .watermarksMillis(TickJob.Tick::time, WatermarkSpec.ascending())
                .keyBy(TickJob.Tick::key)
                .process(nothing)
                .keyBy(WindowResult::key)
                .window(WindowSpec.session(Duration.ofMillis(7)))
                .aggregate(Aggregations.counting());
        JobDescription description =
                TransactionalSink.<String, Long>changelog(job.store, "changes").describe(results, SPEC);
        assertThat(description.merged()).isTrue();
        assertThat(description.stages())
                .containsExactly(
                        new KeyedStage("process-2", "tagged", "", 0, "nothing"),
                        new KeyedStage("window-3", "tagged", "session PT0.007S", 0, "counting"));
        assertThat(StoredDescription.decode("described", StoredDescription.encode(description)))
                .isEqualTo(description);
        assertThat(description.text()).contains("in one lane").contains("process-2 (function): keys tagged, nothing");
    }

    @Test
    void whatIsNoJobHasNoDescription() {
        assertThatThrownBy(() -> sink().describe(job.counts(), CheckpointSpec.everyEvents(5)))
                .hasMessageContaining("a job has a name");
        EventFlux<WindowResult<String, Long>> local = EventFlux.from(Flux.<String>empty())
                .watermarksMillis(event -> 0, WatermarkSpec.ascending())
                .keyBy(event -> event)
                .window(TickJob.TEN)
                .aggregate(Aggregations.counting());
        assertThatThrownBy(() -> sink().describe(local, SPEC)).hasMessageContaining("start it at a log source");
    }
}
