package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.DeadLetterTable;
import io.fluxmark.sinks.FailureTable;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.SideTable;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.AutoDelay;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.FailurePolicy;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedFlux;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The pipelines that are crashed. A new one is one line in {@link #all}. */
final class CrashPipelines {

    /** From a store and the keyed events of a log to results. */
    interface Windowed {
        EventFlux<WindowResult<String, Long>> of(KeyedFlux<String, CrashEvent> keyed, StateStore store);
    }

    /** From a log to results. */
    private interface Logged {
        EventFlux<WindowResult<String, Long>> of(EventLog log, StateStore store);
    }

    static final String TOPIC = "events";

    /** The one whose rows are written ahead of their commit. */
    static final String SPILLS = "one window of many keys that spills";

    static final int PARTITIONS = 2;

    /** A lane writes rows ahead in parts of 1024 results or more; this leaves each of the two lanes one part, and some. */
    private static final int MANY_KEYS = 2_600;

    private static final long LARGE_WINDOW = 1_000;

    static final WatermarkSpec WATERMARKS = WatermarkSpec.boundedOutOfOrderness(ms(8));

    private CrashPipelines() {}

    /** By name. */
    static Map<String, JobCase> all(int records, long seed) {
        Map<String, JobCase> all = new LinkedHashMap<>();
        all.put("tumbling", windows(CrashPipelines::tumbling, records, seed));
        all.put("sliding", windows(CrashPipelines::sliding, records, seed));
        all.put("session with late merges", windows(CrashPipelines::session, records, seed));
        all.put(
                "chained windows with retractions",
                windows(CrashPipelines::chained, records, seed).ignoringShownWatermarks());
        all.put(
                "duplicates taken out",
                windows(CrashPipelines::deduped, records, seed).ignoringShownWatermarks());
        all.put("delay found from the events", autoTuned(CrashEvent.records(records, 6, seed)));
        all.put("keyed process with timers", process(CrashEvent.records(records, 6, seed)));
        all.put("calls that answer late", calls(CrashEvent.records(records, 6, seed)));
        all.put("topic sink", topic(records, seed));
        all.put(SPILLS, spilling(seed));
        return all;
    }

    /** A function that fails now and then, with its failures, the events that can't be read, and some taken out, as rows. */
    private static JobCase process(List<AppendRecord> records) {
        return JobCase.of((log, store, spec) -> source(log)
                        .invalidTo(DeadLetterTable.of(store, "unreadable"))
                        .watermarksMillis(CrashEvent::time, WATERMARKS)
                        .divert(event -> event.amount() == 4, SideTable.of(store, "aside", CrashEvent.CODEC))
                        .onFailure(FailurePolicy.deadLetterTo(FailureTable.of(store, "failures")))
                        .keyByRecordKey(CrashEvent::key)
                        .process(new CrashSummary(true))
                        .writeTo(rows(store).and(changes(store)), spec))
                .input(TOPIC, PARTITIONS, records)
                .showing("rows", store -> rows(store).rows().map(CrashPipelines::text))
                .showing("failures", store -> FailureTable.of(store, "failures").failures());
    }

    /**
     * Each event is asked about, with answers that take their time, fail now and then, or are none, and is made several of before
     * it goes into its window.
     */
    private static JobCase calls(List<AppendRecord> records) {
        return JobCase.of((log, store, spec) -> source(log)
                        .watermarksMillis(CrashEvent::time, WATERMARKS.idleAfter(Duration.ofDays(1)))
                        .onFailure(FailurePolicy.deadLetterTo(FailureTable.of(store, "failures")))
                        .mapAsync(7, CrashPipelines::ask)
                        .mapMany(event -> Collections.nCopies((int) event.amount(), event))
                        .keyByRecordKey(CrashEvent::key)
                        .window(WindowSpec.tumbling(ms(20)).allowedLateness(ms(20)))
                        .aggregate(Aggregations.summingLong(CrashEvent::amount))
                        .writeTo(rows(store).and(changes(store)), spec))
                .input(TOPIC, PARTITIONS, records)
                .ignoringShownWatermarks()
                .showing("rows", store -> rows(store).rows().map(CrashPipelines::text))
                .showing("failures", store -> FailureTable.of(store, "failures").failures());
    }

    private static Mono<CrashEvent> ask(CrashEvent event) {
        if (event.amount() == 4 && event.time() % 5 == 0) {
            return Mono.error(new IllegalStateException("no answer about " + event));
        }
        Mono<CrashEvent> answer = event.time() % 7 == 0 ? Mono.empty() : Mono.just(event);
        return switch (Math.floorMod(event.time(), 3)) {
            case 0 -> answer;
            case 1 -> answer.subscribeOn(Schedulers.parallel());
            default -> Mono.delay(Duration.ofNanos(event.time() % 11 * 20_000)).then(answer);
        };
    }

    /**
     * One window of so many keys that the rows of its firing are more than a lane may hold: with the smallest budget there is,
     * each lane writes the first of them ahead.
     */
    private static JobCase spilling(long seed) {
        return windows(CrashPipelines::large, CrashEvent.manyKeys(MANY_KEYS, LARGE_WINDOW, seed))
                .pace(200, 200)
                .opening(log -> log, store -> store.stateBytes(1 << 20));
    }

    private static EventFlux<WindowResult<String, Long>> large(KeyedFlux<String, CrashEvent> keyed, StateStore store) {
        return keyed.window(WindowSpec.tumbling(ms(LARGE_WINDOW)).allowedLateness(ms(LARGE_WINDOW / 2)))
                .aggregate(Aggregations.summingLong(CrashEvent::amount));
    }

    /** Results as records of another topic, beside a table. */
    private static JobCase topic(int records, long seed) {
        return JobCase.of((log, store, spec) -> tumbling(keyed(log), store)
                        .writeTo(
                                TransactionalSink.<String, Long>topic(store, "sent", log.topic("results"))
                                        .and(rows(store)),
                                spec))
                .input(TOPIC, PARTITIONS, CrashEvent.records(records, 6, seed))
                .output("results", 3)
                .showing("rows", store -> rows(store).rows().map(CrashPipelines::text));
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    static EventFlux<WindowResult<String, Long>> tumbling(KeyedFlux<String, CrashEvent> keyed, StateStore store) {
        return keyed.window(WindowSpec.tumbling(ms(20)).allowedLateness(ms(20)))
                .lateTo(LateTable.of(store, "late", CrashEvent.CODEC))
                .aggregate(Aggregations.summingLong(CrashEvent::amount));
    }

    /** Of events of a key with the same amount within 40 ms one counts. */
    private static EventFlux<WindowResult<String, Long>> deduped(
            KeyedFlux<String, CrashEvent> keyed, StateStore store) {
        return tumbling(
                keyed.deduping(ms(40))
                        .lateTo(LateTable.of(store, "unjudged", CrashEvent.CODEC))
                        .by(CrashEvent::amount, KeyCodec.tagged(Long.class)),
                store);
    }

    /** The delay is chosen behind 50 events of a partition and changes behind each 16 from there. */
    private static JobCase autoTuned(List<AppendRecord> records) {
        AutoDelay delay = AutoDelay.forCompleteness(0.8, ms(20)).over(50);
        return results(
                (log, store) -> tumbling(
                        source(log)
                                .watermarksMillis(CrashEvent::time, WatermarkSpec.autoTuned(delay))
                                .keyByRecordKey(CrashEvent::key),
                        store),
                records);
    }

    private static EventFlux<WindowResult<String, Long>> sliding(
            KeyedFlux<String, CrashEvent> keyed, StateStore store) {
        return keyed.window(WindowSpec.sliding(ms(30), ms(10))
                        .allowedLateness(ms(20))
                        .early(Early.everyCount(3)))
                .aggregate(Aggregations.summingLong(CrashEvent::amount));
    }

    static EventFlux<WindowResult<String, Long>> session(KeyedFlux<String, CrashEvent> keyed, StateStore store) {
        return keyed.window(WindowSpec.session(ms(8)).allowedLateness(ms(60)))
                .lateTo(LateTable.of(store, "late", CrashEvent.CODEC))
                .aggregate(Aggregations.summingLong(CrashEvent::amount));
    }

    private static EventFlux<WindowResult<String, Long>> chained(
            KeyedFlux<String, CrashEvent> keyed, StateStore store) {
        return keyed.window(WindowSpec.tumbling(ms(10)).allowedLateness(ms(40)))
                .aggregate(Aggregations.summingLong(CrashEvent::amount))
                .keyByRecordKey(WindowResult::key)
                .window(WindowSpec.sliding(ms(40), ms(20)).allowedLateness(ms(40)))
                .aggregate(Aggregations.summingLong(WindowResult::value));
    }

    static JobCase windows(Windowed windowed, int records, long seed) {
        return windows(windowed, CrashEvent.records(records, 6, seed));
    }

    private static JobCase windows(Windowed windowed, List<AppendRecord> records) {
        return results((log, store) -> windowed.of(keyed(log), store), records);
    }

    private static JobCase results(Logged windowed, List<AppendRecord> records) {
        return JobCase.of((log, store, spec) ->
                        windowed.of(log, store).writeTo(rows(store).and(changes(store)), spec))
                .input(TOPIC, PARTITIONS, records)
                .showing("rows", store -> rows(store).rows().map(CrashPipelines::text))
                .showing("changes", store -> changes(store).changes().map(CrashPipelines::text));
    }

    static String text(WindowResult<String, Long> result) {
        return EventScript.text(result) + ", " + result.kind() + ", revision " + result.revision();
    }

    static KeyedFlux<String, CrashEvent> keyed(EventLog log) {
        return source(log).watermarksMillis(CrashEvent::time, WATERMARKS).keyByRecordKey(CrashEvent::key);
    }

    static LogSource<CrashEvent> source(EventLog log) {
        return LogSource.of(log.topic(TOPIC, CrashEvent.EVENTS));
    }

    static TableSink<String, Long> rows(StateStore store) {
        return TransactionalSink.table(store, "rows", KeyCodec.tagged(), Codec.longs());
    }

    static ChangelogSink<String, Long> changes(StateStore store) {
        return TransactionalSink.changelog(store, "changes", KeyCodec.tagged(), Codec.longs());
    }
}
