package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The pipelines that are crashed, with records that come several times, and on disks that fill up and fail (C79, C97). */
class RepeatedAndFailedTest {

    private static final int RECORDS = 240;
    private static final int SEEDS = Tier.cases(2, 40);
    private static final int TRIALS = Tier.cases(15, 400);
    private static final long SEED = 5_400;

    @TempDir
    Path directory;

    private Stream<DynamicTest> tests(String what, Check check) {
        return CrashPipelines.all(RECORDS, SEED).entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey() + ", " + what, () -> check.of(each)));
    }

    private interface Check {
        void of(Map.Entry<String, JobCase> pipeline);
    }

    @TestFactory
    Stream<DynamicTest> everyRecordIsSentSeveralTimes() {
        return tests("repeated", pipeline -> {
            int deliveries = 0;
            int recognised = 0;
            for (int i = 0; i < SEEDS; i++) {
                DuplicateDelivery.Report report = DuplicateDelivery.of(pipeline.getValue())
                        .restarts(3, SEED + i)
                        .verify(directory);
                assertThat(report.records())
                        .isEqualTo(pipeline.getValue().records().size());
                assertThat(report.times()).as("sent once, twice, three times").allMatch(count -> count > 0);
                deliveries += report.deliveries();
                recognised += report.recognised();
            }
            System.out.printf(
                    "repeated, %s: %d runs of %d records with 3 restarts, sent %d times, %d recognised, 0 duplicates,"
                            + " 0 gaps, seeds from %d%n",
                    pipeline.getKey(), SEEDS, pipeline.getValue().records().size(), deliveries, recognised, SEED);
        });
    }

    @TestFactory
    Stream<DynamicTest> theDiskFillsUpAndFails() {
        return tests("disk faults", pipeline -> {
            DiskFaults.Report report =
                    DiskFaults.of(pipeline.getValue()).trials(TRIALS, SEED).verify(directory);
            System.out.printf("disk faults, %s: %s%n", pipeline.getKey(), report);
            assertThat(report.struck()).isGreaterThan(TRIALS / 3);
            assertThat(report.failed()).isPositive();
        });
    }
}
