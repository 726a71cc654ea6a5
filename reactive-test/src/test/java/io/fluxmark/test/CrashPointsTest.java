package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs crashed between their writes hold what the committed records say (S47, S48; C58, C61), and end as if nothing had
 * happened.
 */
class CrashPointsTest {

    private static final int RECORDS = 240;
    private static final long SEED = 5_100;

    /** A result is a row of the table and one of the changelog. */
    private static final int RESULT_ROWS = 2;

    @TempDir
    Path directory;

    @TestFactory
    Stream<DynamicTest> killedAtEveryBoundary() {
        return tests("kills", Tier.cases(24, Integer.MAX_VALUE), false);
    }

    @TestFactory
    Stream<DynamicTest> withoutPowerAtEveryBoundary() {
        return tests("power cuts", Tier.cases(12, Integer.MAX_VALUE), true);
    }

    private Stream<DynamicTest> tests(String what, int most, boolean powerCuts) {
        return CrashPipelines.all(RECORDS, SEED).entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey() + ", " + what, () -> verify(each, what, most, powerCuts)));
    }

    private void verify(Map.Entry<String, JobCase> pipeline, String what, int most, boolean powerCuts) {
        CrashPoints points = CrashPoints.of(pipeline.getValue()).sample(most, SEED);
        Path place = directory.resolve(pipeline.getKey().replace(' ', '-') + powerCuts);
        CrashPoints.Report report = (powerCuts ? points.powerCuts() : points).verify(place);
        System.out.printf("crash points, %s, %s: %s%n", pipeline.getKey(), what, report);
        assertThat(report.crashes()).isEqualTo(Math.min(most, report.boundaries() + 1));
        assertThat(report.prefixes()).isEqualTo(report.crashes() + report.again());
        // A lane has about a dozen commits, and which of two lanes is ahead is up to the threads.
        assertThat(report.commits()).isGreaterThan(Math.min(report.crashes() / 8, 11));
        assertThat(report.rows()).isGreaterThan(50);
        boolean spills = pipeline.getKey().equals(CrashPipelines.SPILLS);
        assertThat(report.rowsAhead()).isGreaterThanOrEqualTo(spills ? 2 * 1024L * RESULT_ROWS : 0);
        if (spills && most > report.boundaries()) {
            assertThat(report.hiding())
                    .as("crashes that left rows ahead of a commit")
                    .isPositive();
        }
    }
}
