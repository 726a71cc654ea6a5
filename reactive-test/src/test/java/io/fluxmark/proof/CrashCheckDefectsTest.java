package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The crash check finds jobs that are broken on purpose, and says what is wrong with them. */
class CrashCheckDefectsTest {

    private static final int EVENTS = 25;
    private static final int FORGETFUL = 2;

    @TempDir
    Path directory;

    @Test
    void aSoundJobPasses() {
        stopAfterSomeCommits(job -> Mutation.ofBarriers(barrier -> barrier));
        try (ProofJob job = ProofJob.open(directory)) {
            CrashCheck.Report report = CrashCheck.verify(job, job.store());
            assertThat(report.committed()).isBetween(1L, report.records() - 1);
        }
    }

    @Test
    void aPartitionWhoseWatermarkIsForgottenOnRestartIsFound() {
        stopAfterSomeCommits(job -> Mutation.ofBarriers(barrier -> {
            if (barrier.positions().get(0).partition() == FORGETFUL) {
                barrier.transaction()
                        .longs(ProofJob.EVENT_TIME, WatermarkSpec.STATE_NAME, new long[] {Long.MIN_VALUE, Watermark.NONE
                        });
                barrier.transaction().longs(ProofJob.WINDOW, Watermark.STATE_NAME, new long[] {Watermark.NONE});
            }
            return barrier;
        }));
        assertThat(finding())
                .contains("largest timestamp of lane 2 as stored (actual) and as recomputed from records [0, ")
                .contains("" + Long.MIN_VALUE);
    }

    @Test
    void onlyTheWatermarkOfTheWindowsForgottenIsFoundToo() {
        stopAfterSomeCommits(job -> Mutation.ofBarriers(barrier -> {
            if (barrier.positions().get(0).partition() == FORGETFUL) {
                barrier.transaction().longs(ProofJob.WINDOW, Watermark.STATE_NAME, new long[] {Watermark.NONE});
            }
            return barrier;
        }));
        assertThat(finding()).contains("watermark of the windows of lane 2");
    }

    @Test
    void offsetsOneCommitAheadOfTheStateAreFound() {
        stopAfterSomeCommits(job -> Mutation.ofBarriers(barrier -> {
            SourcePosition now = barrier.positions().get(0);
            long end = job.topic().partition(now.partition()).endOffset();
            SourcePosition ahead =
                    new SourcePosition(now.source(), now.partition(), Math.min(end, now.nextOffset() + EVENTS));
            return new CheckpointBarrier<>(barrier.transaction(), List.of(ahead), barrier.last());
        }));
        assertThat(finding())
                .containsPattern("records in the state of lane \\d, whose committed offset is \\d+")
                .contains("state and offset are of one commit");
    }

    private void stopAfterSomeCommits(Function<ProofJob, Mutation> mutation) {
        try (ProofJob job = ProofJob.open(directory)) {
            job.append(Tick.stream(2_000, 7));
            job.run(CheckpointSpec.everyEvents(EVENTS), mutation.apply(job))
                    .take(12)
                    .blockLast(ProofJob.PATIENCE);
        }
    }

    private String finding() {
        try (ProofJob job = ProofJob.open(directory)) {
            AssertionError finding =
                    catchThrowableOfType(AssertionError.class, () -> CrashCheck.verify(job, job.store()));
            assertThat(finding).as("what the crash check says").isNotNull();
            System.out.println("found: " + finding.getMessage().strip().replaceAll("\\s*\\n\\s*", " "));
            return finding.getMessage();
        }
    }
}
