package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two commits where one is needed: what it costs, and that the tools find it (C47, C50). */
class CommitOrderTest {

    private static final int RECORDS = 120;
    private static final int PER_COMMIT = 10;
    private static final int CRASHES = Tier.cases(60, 1_000);
    private static final long SEED = 5_700;

    @TempDir
    Path directory;

    private CommitOrderRun run(CommitOrder order) {
        CommitOrderRun run = CommitOrderRun.run(order, RECORDS, PER_COMMIT, CRASHES, SEED, directory);
        System.out.println("commit order, " + run);
        return run;
    }

    @Test
    void togetherNothingIsLostOrDoubled() {
        CommitOrderRun run = run(CommitOrder.TOGETHER);
        assertThat(run.wrong()).isZero();
    }

    @Test
    void stateBeforeTheOffsetDoubles() {
        CommitOrderRun run = run(CommitOrder.STATE_THEN_OFFSET);
        assertThat(run.duplicates()).isPositive();
        assertThat(run.lost()).isZero();
    }

    @Test
    void theOffsetBeforeTheStateLoses() {
        CommitOrderRun run = run(CommitOrder.OFFSET_THEN_STATE);
        assertThat(run.lost()).isPositive();
        assertThat(run.duplicates()).isZero();
    }

    private CrashPoints crashes(CommitOrder order) {
        return CrashPoints.of(CommitOrderRun.job(order, RECORDS, PER_COMMIT, SEED))
                .sample(CRASHES, SEED);
    }

    @Test
    void crashPointsPassTheRightOrderAndFindBothWrongOnes() {
        assertThat(crashes(CommitOrder.TOGETHER)
                        .verify(directory.resolve("right"))
                        .crashes())
                .isEqualTo(CRASHES);
        for (CommitOrder wrong : new CommitOrder[] {CommitOrder.STATE_THEN_OFFSET, CommitOrder.OFFSET_THEN_STATE}) {
            assertThatThrownBy(() -> crashes(wrong).verify(directory.resolve(wrong.name())))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Not the same after a kill at boundary ")
                    .hasMessageContaining("S48")
                    .hasMessageContaining("seed " + SEED)
                    .hasMessageContaining("what the crash left is in ");
        }
    }
}
