package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventSink;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.PaneStore;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** Jobs that run well and restart badly, each in one way. */
final class CrashDefects {

    private static final int RECORDS = 240;
    /** How often the runs send a record that nothing disturbs: of its lane alone, and of all lanes. */
    private static final int UNDISTURBED = 2;

    private static final Duration SIZE = Duration.ofMillis(20);

    /** A change of a job that is meant to break it. */
    interface Defect {
        JobDefinition<WindowResult<String, Long>> apply(
                JobDefinition<WindowResult<String, Long>> sound, EventLog log, StateStore store);
    }

    private CrashDefects() {}

    /** A sound job over windows with a defect. */
    static JobCase job(Defect defect) {
        return job(
                (keyed, store) -> keyed.window(WindowSpec.tumbling(SIZE).allowedLateness(SIZE))
                        .aggregate(Aggregations.summingLong(CrashEvent::amount)),
                defect);
    }

    /** The same with a function that sets timers. */
    static JobCase process(Defect defect) {
        return job((keyed, store) -> keyed.process(new CrashSummary(false)), defect);
    }

    private static JobCase job(CrashPipelines.Windowed windowed, Defect defect) {
        return JobCase.of((log, store, spec) -> {
                    TableSink<String, Long> rows = CrashPipelines.rows(store);
                    EventSink<WindowResult<String, Long>> broken =
                            (definition, checkpoints) -> rows.and(CrashPipelines.changes(store))
                                    .write(defect.apply(own(definition), log, store), checkpoints);
                    return windowed.of(CrashPipelines.keyed(log), store).writeTo(broken, spec);
                })
                .input(CrashPipelines.TOPIC, CrashPipelines.PARTITIONS, CrashEvent.records(RECORDS, 6, 5_200));
    }

    @SuppressWarnings("unchecked") // what is read only may be taken for its supertype
    private static JobDefinition<WindowResult<String, Long>> own(
            JobDefinition<? extends WindowResult<String, Long>> definition) {
        return (JobDefinition<WindowResult<String, Long>>) definition;
    }

    /** Nothing is wrong. */
    static Defect none() {
        return (sound, log, store) -> sound;
    }

    /** The position of each barrier is that of the next one: offsets are committed before their state. */
    static Defect offsetsAhead(long events) {
        return (sound, log, store) -> elements(sound, element -> {
            if (!(element instanceof CheckpointBarrier<WindowResult<String, Long>> barrier) || barrier.last()) {
                return element;
            }
            SourcePosition now = barrier.positions().get(0);
            long end = log.topic(now.source()).partition(now.partition()).endOffset();
            long ahead = Math.min(end, now.nextOffset() + events);
            return new CheckpointBarrier<>(
                    barrier.transaction(), List.of(new SourcePosition(now.source(), now.partition(), ahead)), false);
        });
    }

    /** What an operator has recorded under a name is not there on restart. */
    static Defect forgets(BiPredicate<String, String> operatorAndName) {
        return (sound, log, store) -> lanes(sound, lane -> new Forgetful(lane, operatorAndName, panes -> false));
    }

    /** The open windows are not in the snapshot. */
    static Defect forgetsWindows() {
        return forgetsPanes(panes -> true);
    }

    /** Timers that are set are not there on restart; all state is. */
    static Defect forgetsTimers() {
        return forgetsPanes(panes -> panes.matches("process-\\d+"));
    }

    private static Defect forgetsPanes(Predicate<String> panes) {
        return (sound, log, store) -> lanes(sound, lane -> new Forgetful(lane, (operator, name) -> false, panes));
    }

    /** Counts start again with each start. */
    static Defect forgetsCounts() {
        return forgets((operator, name) -> name.equals(LiveCounters.STATE_NAME));
    }

    /** Rows are written when they come, in a transaction of their own. */
    static Defect rowsOutsideTheTransaction() {
        return (sound, log, store) -> new JobDefinition<>(
                sound.source(),
                lane -> store.openLane("aside", lane.partitions().get(0)).flatMapMany(aside -> sound.recipe()
                        .apply(lane)
                        .concatMap(element -> element instanceof EventBatch<WindowResult<String, Long>> run
                                ? written(aside, run)
                                : Flux.just(element))),
                sound.merged(),
                sound.keyCodec(),
                sound.valueCodec(),
                sound.stages(),
                sound.split(),
                sound.lanes());
    }

    private static Flux<StreamElement<WindowResult<String, Long>>> written(
            LaneSession aside, EventBatch<WindowResult<String, Long>> run) {
        LaneTransaction transaction = aside.begin();
        for (int i = 0; i < run.size(); i++) {
            WindowResult<String, Long> result = run.value(i);
            byte[] key = KeyBytes.key()
                    .add("aside")
                    .add(result.key())
                    .add(result.window().start())
                    .toBytes();
            transaction.put(StoreTable.ROWS, key, EventScript.text(result).getBytes(StandardCharsets.UTF_8));
        }
        return aside.submit(transaction).thenMany(Flux.just(run));
    }

    /** A producer that numbers each attempt anew, so that the log can't know a repetition. */
    static UnaryOperator<AppendRecord> numbersAttempts() {
        Map<Long, Integer> sent = new ConcurrentHashMap<>();
        AtomicLong attempts = new AtomicLong(RECORDS);
        return record -> sent.merge(record.sequence().sequence(), 1, Integer::sum) <= UNDISTURBED
                ? record
                : record.withSequence(JobRig.PRODUCER, attempts.getAndIncrement());
    }

    /** A producer without numbers. */
    static UnaryOperator<AppendRecord> numbersNothing() {
        return record -> new AppendRecord(record.partition(), record.key(), record.value(), record.headers(), null);
    }

    private static JobDefinition<WindowResult<String, Long>> elements(
            JobDefinition<WindowResult<String, Long>> sound,
            UnaryOperator<StreamElement<WindowResult<String, Long>>> change) {
        return new JobDefinition<>(
                sound.source(),
                lane -> sound.recipe().apply(lane).map(change),
                sound.merged(),
                sound.keyCodec(),
                sound.valueCodec(),
                sound.stages(),
                sound.split(),
                sound.lanes());
    }

    private static JobDefinition<WindowResult<String, Long>> lanes(
            JobDefinition<WindowResult<String, Long>> sound, UnaryOperator<LaneContext> change) {
        return new JobDefinition<>(
                sound.source(),
                lane -> sound.recipe().apply(change.apply(lane)),
                sound.merged(),
                sound.keyCodec(),
                sound.valueCodec(),
                sound.stages(),
                sound.split(),
                sound.lanes());
    }

    /** A lane that does not restore all that it stores. */
    private record Forgetful(LaneContext lane, BiPredicate<String, String> forgotten, Predicate<String> forgottenPanes)
            implements LaneContext, StateBackend {

        @Override
        public StateBackend state() {
            return this;
        }

        @Override
        public <K, A> PaneStore<K, A> panes(
                String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
            StateBackend backend = forgottenPanes.test(operator) ? StateBackend.heap() : lane.state();
            return backend.panes(operator, keys, accumulators, emitted);
        }

        @Override
        public long @Nullable [] longs(String operator, String name) {
            return forgotten.test(operator, name) ? null : lane.state().longs(operator, name);
        }

        @Override
        public Scheduler clock() {
            return lane.clock();
        }

        @Override
        public void counters(String operator, LiveCounters counters) {
            lane.counters(operator, counters);
        }

        @Override
        public List<Integer> partitions() {
            return lane.partitions();
        }

        @Override
        public long lag(int partition) {
            return lane.lag(partition);
        }

        @Override
        public void checkKey(Object key) {
            lane.checkKey(key);
        }

        @Override
        public LaneContext unwrap() {
            return lane.unwrap();
        }
    }
}
