package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.ListState;
import io.fluxmark.windows.MapState;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.ReducingState;
import io.fluxmark.windows.StateDescriptor;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.ValueState;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A job with a function that keeps state of every kind and sets timers crashes before and after commits of its store: the
 * rows, revisions and counters end up as those of the run without a crash (C58, C59).
 */
class ProcessCrashPointsTest {

    private static final int TICKS = Ticks.thorough() ? 60_000 : 4_000;
    private static final int MOST_IMAGES = Ticks.thorough() ? 400 : 30;
    private static final long SEED = 2_025;

    @TempDir
    Path directory;

    private final ExecutorService storeThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        storeThread.shutdown();
    }

    /** Says, some time after a key's first tick, what has come; forgets slowly what it knows of it. */
    private record Summary() implements KeyedProcess<String, Ticks.Tick, WindowResult<String, Long>> {

        private static final StateDescriptor<ValueState<Long>> FIRST = StateDescriptor.value("first", Codec.longs());
        private static final StateDescriptor<ReducingState<Long>> COUNT = StateDescriptor.<Long>reducing(
                        "count", Codec.longs(), Long::sum)
                .timeToLive(Duration.ofMillis(300));
        private static final StateDescriptor<ListState<Long>> TIMES =
                StateDescriptor.list("times", Codec.longs()).timeToLive(Duration.ofMillis(90));
        private static final StateDescriptor<MapState<Long, Long>> DIGITS = StateDescriptor.map(
                        "digits", KeyCodec.tagged(Long.class), Codec.longs())
                .timeToLive(Duration.ofMillis(150));

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(FIRST, COUNT, TIMES, DIGITS);
        }

        @Override
        public String id() {
            return "summary";
        }

        @Override
        public void onEvent(Ticks.Tick tick, ProcessContext<String, WindowResult<String, Long>> context) {
            context.state(COUNT).add(1L);
            context.state(TIMES).add(tick.time());
            context.state(DIGITS).put(tick.time() % 10, tick.time());
            context.state(DIGITS).remove(tick.time() % 7);
            Long first = context.state(FIRST).get();
            if (first == null) {
                context.state(FIRST).set(tick.time());
                context.setTimer(tick.time() + 120);
            } else if (tick.time() % 11 == 0 && context.deleteTimer(first + 120)) {
                context.setTimer(first + 170);
            }
        }

        @Override
        public void onTimer(ProcessContext<String, WindowResult<String, Long>> context) {
            long[] sum = {0};
            Long count = context.state(COUNT).get();
            sum[0] += count == null ? 0 : count;
            context.state(TIMES).forEach(time -> sum[0] = 31 * sum[0] + time);
            context.state(DIGITS).forEach((digit, time) -> sum[0] = 31 * sum[0] + 7 * digit + time);
            TimeWindow span = new TimeWindow(context.timestamp() - 120, context.timestamp() + 1);
            context.emit(new WindowResult<>(
                    context.key(), span, sum[0], WindowResult.Kind.ON_TIME, 0, 0, context.watermark()));
            context.state(FIRST).clear();
        }
    }

    /** The log and the store of one place. */
    private record Place(EventLog log, StateStore store) implements AutoCloseable {

        static Place open(Path directory, Executor storeExecutor) {
            return new Place(
                    EventLog.open(directory.resolve("log")).block(Ticks.PATIENCE),
                    StateStore.open(
                                    directory.resolve("state"),
                                    StoreSpec.defaults().executor(storeExecutor))
                            .block(Ticks.PATIENCE));
        }

        TypedTopic<Ticks.Tick> topic() {
            return Ticks.topic(log);
        }

        Flux<Checkpoint> job() {
            EventFlux<WindowResult<String, Long>> summaries = LogSource.of(topic())
                    .watermarksMillis(Ticks.Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                    .keyByRecordKey(Ticks.Tick::key)
                    .process(new Summary());
            return summaries.writeTo(
                    TransactionalSink.changelog(store, "out", KeyCodec.tagged(), Codec.longs()),
                    CheckpointSpec.everyEvents(50).named("job").drainWhen(Mono.empty()));
        }

        StoreDigest digest() {
            return StoreDigest.of(store).block(Ticks.PATIENCE);
        }

        /** What the operators count and keep beside their entries; where the job began its last run is left out. */
        List<String> longs() {
            List<String> all = new ArrayList<>();
            for (int lane = 0; lane < Ticks.PARTITIONS; lane++) {
                int number = lane;
                store.longs("job", lane)
                        .filter(each -> !each.operator().equals("job"))
                        .toIterable()
                        .forEach(each -> all.add(number + " " + each.operator() + " " + each.name() + " "
                                + Arrays.toString(each.values())));
            }
            return all;
        }

        @Override
        public void close() {
            store.close();
            log.close();
        }
    }

    @Test
    void whateverCommitWasTheLastRowsAndCountersAreThoseOfTheRunWithoutACrash() throws Exception {
        Path undisturbed = Files.createDirectory(directory.resolve("undisturbed"));
        AtomicBoolean running = new AtomicBoolean();
        CrashImages images = new CrashImages(undisturbed, directory.resolve("images"), running::get);
        StoreDigest expected;
        List<String> longs;
        try (Place place = Place.open(undisturbed, images.around(storeThread))) {
            Ticks.append(place.topic(), Ticks.random(TICKS, SEED));
            running.set(true);
            place.job().blockLast(Ticks.PATIENCE);
            running.set(false);
            expected = place.digest();
            longs = place.longs();
        }
        assertThat(expected.changes()).isGreaterThan(TICKS / 20);
        List<Path> all = images.images();
        int count = Math.min(all.size(), MOST_IMAGES);
        assertThat(count).isGreaterThan(5);
        int unfinished = 0;
        for (int i = 0; i < count; i++) {
            Path image = all.get((int) ((long) i * all.size() / count));
            try (Place place = Place.open(image, storeThread)) {
                long before = place.digest().changes();
                unfinished += before > 0 && before < expected.changes() ? 1 : 0;
                place.job().blockLast(Ticks.PATIENCE);
                assertThat(place.digest())
                        .as("%s, seed %d", image.getFileName(), SEED)
                        .isEqualTo(expected);
                assertThat(place.longs())
                        .as("%s, seed %d", image.getFileName(), SEED)
                        .isEqualTo(longs);
            }
        }
        System.out.printf(
                "function with timers, crash points: %d of %d boundaries crashed at, %d with some rows committed, %d rows,"
                        + " seed %d%n",
                count, all.size(), unfinished, expected.changes(), SEED);
        assertThat(unfinished).isGreaterThan(2);
    }
}
