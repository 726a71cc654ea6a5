package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.ListState;
import io.fluxmark.windows.MapState;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.StateDescriptor;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.ValueState;
import io.fluxmark.windows.Watermark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.h2.store.fs.FilePath;
import reactor.core.Disposable;
import reactor.core.publisher.Sinks;

/** Drives a function's states and timers, and maps on the heap, through the same steps; the budget evicts nearly all. */
class KeyedStateModelTest {

    enum Kind {
        SET,
        CLEAR,
        ADD,
        CLEAR_LIST,
        PUT,
        REMOVE,
        SCAN,
        SET_TIMER,
        DELETE_TIMER,
        ADVANCE,
        BARRIER,
        APPLY,
        CRASH,
        RESTART
    }

    record Step(Kind kind, int key, int number) {}

    /** A call of the function. */
    private record Command(String key, Consumer<ProcessContext<String, String>> call) {}

    private static final class Commands implements KeyedProcess<String, Command, String> {

        static final StateDescriptor<ValueState<Long>> VALUE = StateDescriptor.value("value", Codec.longs());
        static final StateDescriptor<ListState<Long>> LIST = StateDescriptor.list("list", Codec.longs());
        static final StateDescriptor<MapState<Long, Long>> MAP =
                StateDescriptor.map("map", KeyCodec.tagged(Long.class), Codec.longs());

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(VALUE, LIST, MAP);
        }

        @Override
        public void onEvent(Command command, ProcessContext<String, String> context) {
            command.call.accept(context);
        }

        @Override
        public void onTimer(ProcessContext<String, String> context) {
            context.emit(context.timestamp() + context.key());
        }
    }

    /** What there is. */
    private static final class Model {

        final Map<String, Long> values = new TreeMap<>();
        final Map<String, List<Long>> lists = new TreeMap<>();
        final Map<String, Map<Long, Long>> maps = new TreeMap<>();
        final TreeSet<String> timers =
                new TreeSet<>(Comparator.comparingLong(Model::time).thenComparing(Comparator.naturalOrder()));
        long watermark = -1;

        static long time(String timer) {
            return Long.parseLong(timer.substring(0, timer.indexOf('k')));
        }

        Model copy() {
            Model copy = new Model();
            copy.values.putAll(values);
            lists.forEach((key, list) -> copy.lists.put(key, new ArrayList<>(list)));
            maps.forEach((key, map) -> copy.maps.put(key, new LinkedHashMap<>(map)));
            copy.timers.addAll(timers);
            copy.watermark = watermark;
            return copy;
        }
    }

    private static final HeldExecutor EXECUTOR = new HeldExecutor();
    private static Path directory = Path.of(".");
    private static StateStore store;
    private static int runs;

    @BeforeContainer
    static void openStore() throws IOException {
        FilePath.register(new FaultyFileSystem());
        FaultyFileSystem.heal();
        directory = Files.createTempDirectory("keyed");
        store = Stores.open(
                directory,
                Stores.synchronous()
                        .executor(EXECUTOR)
                        .dropSlice(3)
                        .filePrefix(StoreFileSystem.SAFE + ":" + FaultyFileSystem.SCHEME + ":" + StoreFileSystem.ASYNC
                                + ":"));
    }

    @AfterContainer
    static void closeStore() throws IOException {
        EXECUTOR.release(); // a failed run may have left it held, and closing waits for it
        store.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(5, Kind.SET),
                Tuple.of(3, Kind.CLEAR),
                Tuple.of(6, Kind.ADD),
                Tuple.of(1, Kind.CLEAR_LIST),
                Tuple.of(10, Kind.PUT),
                Tuple.of(6, Kind.REMOVE),
                Tuple.of(3, Kind.SCAN),
                Tuple.of(6, Kind.SET_TIMER),
                Tuple.of(3, Kind.DELETE_TIMER),
                Tuple.of(3, Kind.ADVANCE),
                Tuple.of(6, Kind.BARRIER),
                Tuple.of(3, Kind.APPLY),
                Tuple.of(1, Kind.CRASH),
                Tuple.of(1, Kind.RESTART));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 9))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(200);
    }

    @Property
    void statesAndTimersAnswerLikeMapsOnTheHeap(@ForAll("steps") List<Step> steps) {
        Run run = new Run("keyed" + runs++);
        for (Step step : steps) {
            run.take(step);
        }
        run.restart();
        for (int key = 0; key <= 3; key++) {
            run.take(new Step(Kind.SCAN, key, 0));
        }
        run.advance(Watermark.END);
        run.close();
    }

    private static final class Run {

        private final String job;
        private final Map<Long, Model> committed = new HashMap<>();
        private final List<String> out = new ArrayList<>();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private Model model = new Model();
        private LaneSession session;
        private Sinks.Many<StreamElement<Command>> input;
        private Disposable running;
        private boolean pending;

        Run(String job) {
            this.job = job;
            FaultyFileSystem.heal(); // a failed run must not bring down those that follow it
            EXECUTOR.release();
            committed.put(0L, new Model());
            open();
        }

        private void open() {
            session = Stores.await(store.openLane(job, 0));
            StoredWindows.Lane lane = new StoredWindows.Lane(LaneStateBackend.of(session, LaneStateBackend.MIN_BUDGET));
            input = Sinks.many().unicast().onBackpressureBuffer();
            running = EventFlux.fromElements(input.asFlux())
                    .keyBy(Command::key)
                    .process(new Commands())
                    .elements(() -> lane)
                    .subscribe(this::collect, failure::set);
            model = committed.get(session.restored().transaction()).copy();
            pending = false;
        }

        void close() {
            running.dispose();
        }

        private void collect(StreamElement<String> element) {
            if (element instanceof EventBatch<String> run) {
                for (int i = 0; i < run.size(); i++) {
                    out.add(run.value(i));
                }
            }
        }

        private void push(StreamElement<Command> element) {
            input.tryEmitNext(element).orThrow();
            assertThat(failure.get()).isNull();
        }

        private void call(String key, Consumer<ProcessContext<String, String>> call) {
            long watermark = model.watermark;
            push(EventBatch.<Command>builder()
                    .add(new Command(key, call), watermark + 1, watermark)
                    .build(watermark));
        }

        void take(Step step) {
            String key = "k" + step.key;
            long number = step.number;
            switch (step.kind) {
                case SET -> {
                    call(key, context -> {
                        ValueState<Long> value = context.state(Commands.VALUE);
                        assertThat(value.get()).isEqualTo(model.values.get(key));
                        value.set(number);
                    });
                    model.values.put(key, number);
                }
                case CLEAR -> {
                    call(key, context -> context.state(Commands.VALUE).clear());
                    model.values.remove(key);
                }
                case ADD -> {
                    // Many at once, so that a list has several pieces.
                    List<Long> expected = model.lists.computeIfAbsent(key, missing -> new ArrayList<>());
                    call(key, context -> {
                        ListState<Long> list = context.state(Commands.LIST);
                        assertThat(list.size()).isEqualTo(expected.size());
                        for (long i = 0; i < 9 * number; i++) {
                            list.add(i);
                            expected.add(i);
                        }
                    });
                }
                case CLEAR_LIST -> {
                    call(key, context -> context.state(Commands.LIST).clear());
                    model.lists.remove(key);
                }
                case PUT -> {
                    Map<Long, Long> expected = model.maps.computeIfAbsent(key, missing -> new LinkedHashMap<>());
                    call(key, context -> {
                        MapState<Long, Long> map = context.state(Commands.MAP);
                        assertThat(map.get(number)).isEqualTo(expected.get(number));
                        long sum = expected.getOrDefault(number, 0L) + 1;
                        map.put(number, sum);
                        expected.put(number, sum);
                    });
                }
                case REMOVE -> {
                    call(key, context -> context.state(Commands.MAP).remove(number));
                    model.maps
                            .computeIfAbsent(key, missing -> new LinkedHashMap<>())
                            .remove(number);
                }
                case SCAN -> call(key, context -> scan(key, context));
                case SET_TIMER -> {
                    long time = model.watermark + 1 + 300 * number * number;
                    call(key, context -> context.setTimer(time));
                    model.timers.add(time + key);
                }
                case DELETE_TIMER -> {
                    long time = model.watermark + 1 + 300 * number * number;
                    boolean held = model.timers.remove(time + key);
                    call(key, context -> assertThat(context.deleteTimer(time)).isEqualTo(held));
                }
                case ADVANCE -> advance(model.watermark + number * number * number * 20);
                case BARRIER -> barrier();
                case APPLY -> {
                    EXECUTOR.release();
                    pending = false;
                }
                case CRASH -> crash();
                case RESTART -> restart();
            }
        }

        private void scan(String key, ProcessContext<String, String> context) {
            assertThat(context.state(Commands.VALUE).get()).isEqualTo(model.values.get(key));
            assertThat(context.state(Commands.LIST).get())
                    .containsExactlyElementsOf(model.lists.getOrDefault(key, List.of()));
            Map<Long, Long> seen = new LinkedHashMap<>();
            context.state(Commands.MAP).forEach(seen::put);
            assertThat(List.copyOf(seen.entrySet()))
                    .isEqualTo(
                            List.copyOf(model.maps.getOrDefault(key, Map.of()).entrySet()));
            assertThat(context.state(Commands.MAP).size()).isEqualTo(seen.size());
        }

        void advance(long target) {
            List<String> due = new ArrayList<>();
            while (!model.timers.isEmpty() && Model.time(model.timers.first()) <= target) {
                due.add(model.timers.pollFirst());
            }
            model.watermark = Math.max(model.watermark, target);
            out.clear();
            push(new Watermark<>(target));
            assertThat(out).isEqualTo(due);
        }

        private void barrier() {
            LaneTransaction transaction = session.begin();
            push(new CheckpointBarrier<>(transaction, List.of(), false));
            committed.put(transaction.id(), model.copy());
            EXECUTOR.hold();
            session.submit(transaction).subscribe(commit -> {}, error -> {});
            pending = true;
        }

        /** What has been handed over and not applied is lost. */
        private void crash() {
            if (pending) {
                FaultyFileSystem.failAfter(0, false, false);
                EXECUTOR.release();
                assertThat(FaultyFileSystem.failures()).isEqualTo(1);
                AtomicReference<Throwable> reason = new AtomicReference<>();
                session.submit(session.begin()).subscribe(commit -> {}, reason::set);
                assertThat(reason.get()).isInstanceOf(StoreReopenedException.class);
            }
            running.dispose();
            open();
        }

        void restart() {
            EXECUTOR.release();
            running.dispose();
            open();
        }
    }
}
