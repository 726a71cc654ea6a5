package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/**
 * Objects that are tracked through stateful operators: whenever a stream ends, is cancelled or fails, each event has been
 * taken into a window, passed on, or discarded, and each result has been received or discarded: exactly once.
 */
class OperatorLeakTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int CASES = THOROUGH ? 2_000 : 40;
    private static final int RACES = THOROUGH ? 10_000 : 200;
    private static final long SEED = 20_001;
    private static final int RUNS = 12;
    private static final String POISON = "poison";

    /** What becomes of one object. */
    private static final class Tracked {

        final String name;
        final int time;
        final AtomicInteger ends = new AtomicInteger();

        Tracked(String name, int time) {
            this.name = name;
            this.time = time;
        }

        void end() {
            ends.incrementAndGet();
        }

        @Override
        public String toString() {
            return name + "@" + time;
        }
    }

    /** An operator, and all that was ever given to it or made by it. */
    private static final class Subject {

        final ManualSource<StreamElement<Tracked>> source = new ManualSource<>();
        final List<Tracked> all = Collections.synchronizedList(new ArrayList<>());
        final TestSubscriber<Object> subscriber =
                TestSubscriber.builder().initialRequest(0).build();

        /** The run with an event that user code fails at, or -1. */
        int poisoned = -1;

        Tracked track(String name, int time) {
            Tracked tracked = new Tracked(name, time);
            all.add(tracked);
            return tracked;
        }

        void subscribe(Flux<?> operator) {
            operator.cast(Object.class)
                    .doOnDiscard(Tracked.class, Tracked::end)
                    .doOnDiscard(WindowResult.class, result -> ((Tracked) result.value()).end())
                    .subscribe(subscriber);
        }

        /**
         * A run of a few events, or of many, of which no result fits into one run. The watermark rises within, so that
         * windows fire, and wait for demand, while there are events still to be taken.
         */
        StreamElement<Tracked> run(Random random, int i) {
            int size = random.nextBoolean() ? 1 + random.nextInt(3) : EventBatch.MAX_SIZE - random.nextInt(3);
            EventBatchBuilder<Tracked> run = EventBatch.builder();
            for (int e = 0; e < size; e++) {
                boolean fails = i == poisoned && e == size / 2;
                String key = "k" + random.nextInt(4) + "-" + (fails ? POISON : "" + random.nextInt(300));
                run.add(track(key, 10 * i + random.nextInt(10)), 10L * i + 9, 10L * i - 1 + 10L * e / size);
            }
            return run.build(10L * i + 9);
        }

        /** Sends what may be sent behind {@code sent} others; else it is nobody's. */
        void sendIfRequested(StreamElement<Tracked> element, int sent) {
            if (source.requested.get() > sent) {
                source.next(element);
            } else {
                EventBatch.contents(element).forEach(value -> ((Tracked) value).end());
            }
        }

        /** Nothing is signalled any more: what was received has come to its end as well. */
        void check(String name) {
            for (Object element : subscriber.getReceivedOnNext()) {
                EventBatch.contents((StreamElement<?>) element).forEach(value -> {
                    if (value instanceof Tracked event) {
                        event.end();
                    } else if (value instanceof WindowResult<?, ?> result) {
                        ((Tracked) result.value()).end();
                    }
                });
            }
            assertThat(subscriber.getProtocolErrors()).isEmpty();
            assertThat(all).as(name).allSatisfy(tracked -> assertThat(tracked.ends)
                    .hasValue(1));
        }
    }

    /** Takes events into windows and makes results that are tracked too. */
    private record Tracking(Subject subject) implements Aggregation<Tracked, long[], Tracked> {

        @Override
        public long[] create() {
            return new long[1];
        }

        @Override
        public long[] add(long[] accumulator, Tracked event) {
            if (event.name.endsWith(POISON)) {
                throw new IllegalStateException("user code");
            }
            event.end();
            accumulator[0]++;
            return accumulator;
        }

        @Override
        public long[] merge(long[] first, long[] second) {
            first[0] += second[0];
            return first;
        }

        @Override
        public Tracked result(long[] accumulator) {
            return subject.track("result", (int) accumulator[0]);
        }
    }

    /** Takes events and emits objects that are tracked too, with events and with timers. */
    private record TrackingProcess(Subject subject) implements KeyedProcess<String, Tracked, Tracked> {

        @Override
        public void onEvent(Tracked event, ProcessContext<String, Tracked> context) {
            if (event.name.endsWith(POISON)) {
                throw new IllegalStateException("user code");
            }
            event.end();
            context.setTimer(event.time + 15);
            if (event.time % 2 == 0) {
                context.emit(subject.track("event", event.time));
            }
        }

        @Override
        public void onTimer(ProcessContext<String, Tracked> context) {
            context.emit(subject.track("timer", (int) context.timestamp()));
        }
    }

    private static void refusePoison(Tracked event) {
        if (event.name.endsWith(POISON)) {
            event.end();
            throw new IllegalStateException("user code");
        }
    }

    private static Flux<?> windows(Subject subject, WindowSpec windows) {
        return subject.source.transform(Windows.aggregate(event -> event.name, windows, new Tracking(subject)));
    }

    /** Events that no window and no partition takes are not among them: each would need an end of its own. */
    private static Map<String, BiConsumer<Subject, Random>> subjects() {
        Map<String, WindowSpec> kinds = new LinkedHashMap<>();
        kinds.put("tumbling", WindowSpec.tumbling(Duration.ofMillis(7)));
        kinds.put("sliding", WindowSpec.sliding(Duration.ofMillis(20), Duration.ofMillis(10)));
        kinds.put("session", WindowSpec.session(Duration.ofMillis(5)));
        kinds.put(
                "session under a ceiling",
                WindowSpec.session(Duration.ofMillis(40)).ceiling(new Ceiling(2, Ceiling.Policy.CLOSE_EARLIEST)));
        kinds.put("count", WindowSpec.count(2));
        kinds.put("count with a time-to-live", WindowSpec.count(5).timeToLive(Duration.ofMillis(15)));
        kinds.put("global", WindowSpec.global());
        kinds.put("global with a time-to-live", WindowSpec.global().timeToLive(Duration.ofMillis(15)));
        Map<String, BiConsumer<Subject, Random>> all = new LinkedHashMap<>();
        kinds.forEach(
                (name, windows) -> all.put(name, (subject, random) -> subject.subscribe(windows(subject, windows))));
        all.put(
                "process",
                (subject, random) -> subject.subscribe(EventFlux.fromElements(subject.source)
                        .keyBy(event -> event.name)
                        .process(new TrackingProcess(subject))
                        .elements()));
        all.put(
                "map many",
                (subject, random) -> subject.subscribe(subject.source.transform(Elements.mapMany(event -> {
                    refusePoison(event);
                    event.end();
                    return Stream.generate(() -> subject.track("of " + event.name, event.time))
                            .limit(event.time % 4)
                            .toList();
                }))));
        all.put(
                "map async",
                (subject, random) -> subject.subscribe(
                        subject.source.transform(Elements.mapAsync(1 + random.nextInt(300 - 44), event -> {
                            refusePoison(event);
                            event.end();
                            return event.time % 5 == 0
                                    ? Mono.empty()
                                    : Mono.just(subject.track("of " + event.name, event.time));
                        }))));
        all.put(
                "union",
                (subject, random) -> subject.subscribe(Elements.union(
                        random.nextBoolean()
                                ? List.of(subject.source, Flux.<StreamElement<Tracked>>empty())
                                : List.of(Flux.<StreamElement<Tracked>>empty(), subject.source))));
        all.put(
                "partitions",
                (subject, random) -> subject.subscribe(subject.source.transform(EventTime.assignByPartition(
                        4,
                        event -> event.name.charAt(1) - '0',
                        event -> event.time,
                        WatermarkSpec.ascending().idleAfter(Duration.ofDays(1))))));
        all.put(
                "processing time",
                (subject, random) -> subject.subscribe(OperatorFlux.of(
                        subject.source,
                        "processing-time",
                        actual -> new ProcessingTimeOperator<Tracked>(
                                actual, "processing-time", 1_000_000_000, new TestLane()))));
        return all;
    }

    private static Stream<DynamicTest> forEach(String what, int cases, BiConsumer<Subject, Random> test) {
        return subjects().entrySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> {
                    for (int i = 0; i < cases; i++) {
                        long seed = SEED + i;
                        Random random = new Random(seed);
                        Subject subject = new Subject();
                        kind.getValue().accept(subject, random);
                        test.accept(subject, random);
                        subject.check(kind.getKey() + ", seed " + seed);
                    }
                    System.out.printf("leaks of %s at %s: %d cases, seeds from %d%n", kind.getKey(), what, cases, SEED);
                }));
    }

    private static void play(Subject subject, Random random, int runs) {
        long sent = 0;
        for (int i = 0; i < runs; i++) {
            if (random.nextInt(3) == 0) {
                subject.subscriber.request(1 + random.nextInt(3));
            }
            if (sent == subject.source.requested.get()) {
                subject.subscriber.request(Long.MAX_VALUE);
            }
            if (subject.source.cancels.get() > 0) {
                return; // it has failed, and whoever sends something now loses it
            }
            subject.source.next(subject.run(random, i));
            sent++;
        }
    }

    @TestFactory
    Stream<DynamicTest> theEnd() {
        return forEach("the end", CASES, (subject, random) -> {
            play(subject, random, random.nextInt(RUNS));
            subject.subscriber.request(Long.MAX_VALUE);
            subject.source.next(new Watermark<>(Watermark.END));
            subject.source.complete();
            assertThat(subject.subscriber.isTerminatedComplete()).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> aCancel() {
        return forEach("a cancel", CASES, (subject, random) -> {
            int runs = random.nextInt(RUNS);
            play(subject, random, runs);
            subject.subscriber.cancel();
            subject.source.next(subject.run(random, runs));
        });
    }

    @TestFactory
    Stream<DynamicTest> anErrorThatComesBehindWhatWasBefore() {
        return forEach("an error", CASES, (subject, random) -> {
            play(subject, random, random.nextInt(RUNS));
            subject.source.fail(new IllegalStateException("on purpose"));
            subject.subscriber.request(Long.MAX_VALUE);
            assertThat(subject.subscriber.isTerminatedError()).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> anErrorOfUserCodeInTheMiddleOfARun() {
        return forEach("an error of user code", CASES, (subject, random) -> {
            int runs = 1 + random.nextInt(RUNS);
            subject.poisoned = random.nextInt(runs);
            play(subject, random, runs);
            subject.subscriber.request(Long.MAX_VALUE);
            if (subject.source.cancels.get() == 0) {
                subject.source.complete(); // there is no user code in what gives events their time
            }
            assertThat(subject.subscriber.isTerminated()).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> moreThanWasRequested() {
        return forEach("an overflow", CASES, (subject, random) -> {
            for (int i = 0; subject.source.cancels.get() == 0; i++) {
                subject.source.next(subject.run(random, i));
            }
            subject.subscriber.request(Long.MAX_VALUE);
            assertThat(subject.subscriber.isTerminatedError()).isTrue();
        });
    }

    @TestFactory
    Stream<DynamicTest> aCancelThatCrossesInputAndDemand() {
        return forEach("a race", RACES, (subject, random) -> {
            subject.subscriber.request(random.nextInt(3));
            subject.source.next(subject.run(random, 0));
            StreamElement<Tracked> next = subject.run(random, 1);
            StreamElement<Tracked> last = subject.run(random, 2);
            RaceTestUtils.race(
                    () -> {
                        subject.sendIfRequested(next, 1);
                        subject.sendIfRequested(last, 2);
                    },
                    () -> subject.subscriber.request(Long.MAX_VALUE),
                    subject.subscriber::cancel);
        });
    }
}
