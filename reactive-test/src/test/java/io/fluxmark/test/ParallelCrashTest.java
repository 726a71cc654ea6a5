package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.DeadLetterTable;
import io.fluxmark.sinks.FailureTable;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.FailurePolicy;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs whose keys are divided among lanes, of which there are 2, 3, 1, 2, ... from one start to the next, crashed between their
 * writes: what is stored is what the committed records say, and they end with the digest of one lane that nothing disturbs.
 */
class ParallelCrashTest {

    private static final int RECORDS = 200;
    private static final long SEED = 40_200;
    private static final int[] LANES = {2, 3, 1};

    @TempDir
    Path directory;

    /** A pipeline, given how keys are divided. */
    private interface Divided {
        EventFlux<WindowResult<String, Long>> of(
                EventLog log, StateStore store, UnaryOperator<KeyedFlux<String, CrashEvent>> divide);
    }

    private static Map<String, Divided> pipelines() {
        Map<String, Divided> all = new LinkedHashMap<>();
        all.put("tumbling", (log, store, divide) -> CrashPipelines.tumbling(divide.apply(keyed(log, store)), store));
        all.put("session", (log, store, divide) -> CrashPipelines.session(divide.apply(keyed(log, store)), store));
        all.put("process with timers", (log, store, divide) -> divide.apply(events(log, store)
                        .onFailure(FailurePolicy.deadLetterTo(FailureTable.of(store, "failures")))
                        .keyBy(CrashEvent::key))
                .process(new CrashSummary(true)));
        all.put("two stages", (log, store, divide) -> {
            WindowSpec first = WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(40));
            WindowSpec second = WindowSpec.sliding(Duration.ofMillis(40), Duration.ofMillis(20))
                    .allowedLateness(Duration.ofMillis(40));
            return divide.apply(keyed(log, store))
                    .window(first)
                    .lateTo(LateTable.of(store, "late", CrashEvent.CODEC))
                    .aggregate(Aggregations.summingLong(CrashEvent::amount))
                    .keyBy(WindowResult::key)
                    .parallel(2)
                    .window(second)
                    .aggregate(Aggregations.summingLong(WindowResult::value));
        });
        return all;
    }

    private static EventFlux<CrashEvent> events(EventLog log, StateStore store) {
        return CrashPipelines.source(log)
                .invalidTo(DeadLetterTable.of(store, "unreadable"))
                .watermarksMillis(CrashEvent::time, CrashPipelines.WATERMARKS);
    }

    private static KeyedFlux<String, CrashEvent> keyed(EventLog log, StateStore store) {
        return events(log, store).keyBy(CrashEvent::key);
    }

    private static JobCase job(Divided pipeline, UnaryOperator<KeyedFlux<String, CrashEvent>> divide) {
        return JobCase.of((log, store, spec) -> pipeline.of(log, store, divide)
                        .writeTo(CrashPipelines.rows(store).and(CrashPipelines.changes(store)), spec))
                .input(CrashPipelines.TOPIC, 1, CrashEvent.records(RECORDS, 20, SEED))
                .ignoringShownWatermarks()
                .showing("rows", store -> CrashPipelines.rows(store).rows().map(CrashPipelines::text))
                .showing(
                        "changes",
                        store -> CrashPipelines.changes(store).changes().map(CrashPipelines::text));
    }

    @TestFactory
    Stream<DynamicTest> killedAtEveryBoundaryWithAnotherNumberOfLanesAtEachStart() {
        return tests("kills", Tier.cases(10, Integer.MAX_VALUE), false);
    }

    @TestFactory
    Stream<DynamicTest> withoutPowerAtEveryBoundaryWithAnotherNumberOfLanesAtEachStart() {
        return tests("power cuts", Tier.cases(6, Integer.MAX_VALUE), true);
    }

    private Stream<DynamicTest> tests(String what, int most, boolean powerCuts) {
        return pipelines().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey() + ", " + what,
                        () -> verify(each.getKey(), each.getValue(), what, most, powerCuts)));
    }

    private void verify(String name, Divided pipeline, String what, int most, boolean powerCuts) {
        Path place = directory.resolve(name.replace(' ', '-') + powerCuts);
        AtomicInteger starts = new AtomicInteger();
        JobCase divided = job(pipeline, keyed -> keyed.parallel(LANES[starts.getAndIncrement() % LANES.length]));
        CrashPoints points = CrashPoints.of(divided).sample(most, SEED);
        CrashPoints.Report report = (powerCuts ? points.powerCuts() : points).verify(place.resolve("divided"));
        System.out.printf("crash points of lanes, %s, %s: %s%n", name, what, report);
        assertThat(report.crashes()).isEqualTo(Math.min(most, report.boundaries() + 1));
        assertThat(starts.get()).as("starts, each with another number of lanes").isGreaterThan(report.crashes());
        assertThat(report.rows()).isGreaterThan(50);
        CrashPoints.Report one =
                CrashPoints.of(job(pipeline, keyed -> keyed)).sample(1, SEED).verify(place.resolve("one"));
        assertThat(report.digest()).as("the digest of one lane").isEqualTo(one.digest());
    }
}
