package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.state.StoredWindows.Event;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Windows of every kind with their state in a real store. */
class StoredWindowsTest {

    private static final int KEYS = Stores.THOROUGH ? 100_000 : 10_000;
    private static final int CASES = Stores.THOROUGH ? 40 : 1;

    /** Little enough that most of what is held is in the file alone. */
    private static final long BUDGET = 40L * KEYS;

    private static final long SEED = 30_001;

    @TempDir
    Path directory;

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    /** All windows are over, and forgotten, at W5000 with events of the first second. */
    private static Map<String, WindowSpec> forgetting() {
        Map<String, WindowSpec> kinds = new LinkedHashMap<>();
        kinds.put("session", WindowSpec.session(ms(2_000)));
        kinds.put("session that re-fires", WindowSpec.session(ms(2_000)).allowedLateness(ms(50)));
        kinds.put("count", WindowSpec.count(2).timeToLive(ms(2_000)));
        kinds.put("global", WindowSpec.global().timeToLive(ms(2_000)));
        kinds.put("tumbling", WindowSpec.tumbling(ms(2_000)));
        return kinds;
    }

    private static void feed(StoredWindows windows, int from, int to) {
        EventBatchBuilder<Event> run = EventBatch.builder();
        for (int i = from; i < to; i++) {
            long time = i % 1_000;
            run.add(new Event("key" + i, time), time, -1);
            if (run.isFull() || i == to - 1) {
                windows.push(run.build(-1));
            }
            if (i % 10_000 == 9_999) {
                windows.barrier();
            }
        }
    }

    private void forgets(WindowSpec kind, int keys) {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            StoredWindows windows = new StoredWindows(store, kind, BUDGET);
            windows.barrier();
            assertThat(windows.stored()).isZero();
            feed(windows, 0, keys / 2);
            windows.barrier();
            windows.restart();
            assertThat(windows.held()).isEqualTo(keys / 2);
            feed(windows, keys / 2, keys);
            windows.barrier();
            windows.restart();
            assertThat(windows.held()).isEqualTo(keys);
            boolean indexed = kind.kind() != WindowSpec.Kind.TUMBLING;
            assertThat(windows.stored()).isGreaterThanOrEqualTo(indexed ? 2L * keys : keys);

            windows.push(new Watermark<>(5_000));
            assertThat(windows.results()).isEqualTo(keys);
            assertThat(windows.held()).isZero();
            windows.clean();
            assertThat(windows.stored()).as("entries of state and index").isZero();
            windows.restart();
            assertThat(windows.held()).isZero();
            windows.push(new Watermark<>(Watermark.END));
            assertThat(windows.results()).isEqualTo(keys);
        }
    }

    /** C37, S43: a restart in the middle, and in the end neither an entry nor a place in the index of any key is left. */
    @TestFactory
    Stream<DynamicTest> s43OfKeysWithOneEventNothingIsLeftInTheStoreNorInItsIndex() {
        return forgetting().entrySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> {
                    directory = directory.resolve(kind.getKey().replace(' ', '-'));
                    forgets(kind.getValue(), KEYS);
                }));
    }

    private static Map<String, WindowSpec> restarted() {
        Map<String, WindowSpec> kinds = new LinkedHashMap<>();
        kinds.put("tumbling", WindowSpec.tumbling(ms(10)).allowedLateness(ms(10)));
        kinds.put("sliding", WindowSpec.sliding(ms(20), ms(5)).allowedLateness(ms(10)));
        kinds.put("session", WindowSpec.session(ms(10)));
        kinds.put("session that re-fires", WindowSpec.session(ms(10)).allowedLateness(ms(30)));
        kinds.put("session with early results", WindowSpec.session(ms(10)).early(Early.everyCount(2)));
        kinds.put("count", WindowSpec.count(3));
        kinds.put("count with early results", WindowSpec.count(4).early(Early.everyCount(2)));
        kinds.put("count with a time-to-live", WindowSpec.count(3).timeToLive(ms(10)));
        kinds.put("global", WindowSpec.global());
        kinds.put("global with early results", WindowSpec.global().early(Early.everyCount(2)));
        kinds.put("global with a time-to-live", WindowSpec.global().timeToLive(ms(10)));
        return kinds;
    }

    /** Events a little out of order, and a watermark behind each. */
    private static List<StreamElement<Event>> script(Random random) {
        List<StreamElement<Event>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        for (int i = 0; i < 25; i++) {
            int time = i + random.nextInt(25);
            elements.add(EventBatch.<Event>builder()
                    .add(new Event("k" + random.nextInt(4), time), time, watermark)
                    .build(watermark));
            watermark = Math.max(watermark, i - random.nextInt(10));
            if (random.nextInt(4) == 0) {
                elements.add(new Watermark<>(watermark));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    private static List<String> withoutStop(WindowSpec windows, List<StreamElement<Event>> elements) {
        List<String> out = new ArrayList<>();
        EventFlux.fromElements(Flux.fromIterable(elements))
                .keyBy(Event::key)
                .window(windows)
                .aggregate(Aggregations.counting())
                .elements()
                .doOnNext(element -> {
                    if (element instanceof EventBatch<WindowResult<String, Long>> run) {
                        for (int i = 0; i < run.size(); i++) {
                            out.add(run.timestamp(i) + " " + run.sign(i) + " " + run.value(i));
                        }
                    }
                })
                .blockLast(Stores.PATIENCE);
        return out;
    }

    @TestFactory
    Stream<DynamicTest> s47StoppedAndStartedBetweenAnyTwoElementsTheOutputIsTheSame() {
        return restarted().entrySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> {
                    for (int i = 0; i < CASES; i++) {
                        long seed = SEED + i;
                        List<StreamElement<Event>> elements = script(new Random(seed));
                        Path own = directory.resolve(kind.getKey().replace(' ', '-') + i);
                        try (StateStore store = Stores.open(own, Stores.synchronous())) {
                            StoredWindows windows = new StoredWindows(store, kind.getValue(), 4_096);
                            for (StreamElement<Event> element : elements) {
                                windows.push(element);
                                windows.barrier();
                                windows.restart();
                            }
                            assertThat(windows.out())
                                    .as("%s, seed %d: %s", kind.getKey(), seed, elements)
                                    .isNotEmpty()
                                    .isEqualTo(withoutStop(kind.getValue(), elements));
                            windows.clean();
                            assertThat(windows.stored()).isZero();
                        }
                    }
                    System.out.printf(
                            "restart anywhere over a store, %s: %d cases, seeds from %d%n", kind.getKey(), CASES, SEED);
                }));
    }
}
