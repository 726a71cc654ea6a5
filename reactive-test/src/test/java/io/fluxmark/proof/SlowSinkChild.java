package io.fluxmark.proof;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Runs one job over a log twice, under two names: first with few commits and without delay, which tells how fast
 * the source is; then with a store that takes so long for each commit that the whole is at least ten times slower. Prints what
 * the second run held between source and sink.
 */
final class SlowSinkChild {

    static final int EVENTS_PER_BARRIER = 1_000;
    static final int KEYS = 500;

    private static final int PARTITIONS = 4;
    private static final int BATCH = 1_000;
    private static final int EVENTS_PER_MILLI = 10;
    private static final long SIZE = 1_000;
    private static final int SLOWER = 14;
    private static final int HEAP_SAMPLES = 20;

    private final long events;
    private final EventLog log;
    /** A lane has one commit under way at a time, and the fullest lane has at least its share of the barriers. */
    private final long fewestCommits;

    private final AtomicLong decoded = new AtomicLong();
    private final AtomicLongArray durable = new AtomicLongArray(PARTITIONS);
    private final AtomicLong peakInFlight = new AtomicLong();
    private long nanosPerCommit;
    private long firstCommit;
    private long began;

    /** Set when the slow run begins; read on the store's thread, after which the three above are seen. */
    private volatile @Nullable StateStore slowed;

    private long peakHeap;
    private long nextSample;

    private SlowSinkChild(long events, EventLog log) {
        this.events = events;
        this.log = log;
        this.fewestCommits = events / PARTITIONS / EVENTS_PER_BARRIER;
    }

    /** @param args directory, number of events */
    public static void main(String[] args) {
        Path directory = Path.of(args[0]);
        EventLog log = EventLog.open(
                        directory.resolve("log"), LogSpec.defaults().durability(Durability.OS))
                .block(ProofJob.PATIENCE);
        SlowSinkChild child = new SlowSinkChild(Long.parseLong(args[1]), log);
        StateStore store = StateStore.open(
                        directory.resolve("state"),
                        StoreSpec.defaults().cacheMegabytes(8).executor(child.slowed()))
                .block(ProofJob.PATIENCE);
        child.append();
        long fast = child.run(store, "fast", 10 * EVENTS_PER_BARRIER);
        child.peakInFlight.set(0);
        child.slowDown(store, SLOWER * fast);
        long slow = child.run(store, "slow", EVENTS_PER_BARRIER);
        System.out.println("millis " + fast / 1_000_000 + " " + slow / 1_000_000);
        System.out.println("in flight " + child.peakInFlight);
        System.out.println("heap " + child.peakHeap);
        store.close();
        log.close();
        System.exit(0);
    }

    private Executor slowed() {
        // A daemon, so that a failure of the main thread ends the process.
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "slow-store");
            made.setDaemon(true);
            return made;
        });
        return task -> thread.execute(() -> {
            keepSlow();
            task.run();
        });
    }

    /** Before the store works on: lets each commit since the slow run began, and the next, have taken its time. */
    private void keepSlow() {
        StateStore slow = slowed;
        if (slow == null) {
            return;
        }
        long due = began + (slow.info().block(ProofJob.PATIENCE).commit() - firstCommit + 1) * nanosPerCommit;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void slowDown(StateStore store, long nanos) {
        nanosPerCommit = nanos / fewestCommits;
        firstCommit = store.info().block(ProofJob.PATIENCE).commit();
        began = System.nanoTime();
        slowed = store;
    }

    private void append() {
        Topic topic = log.createTopic("events", PARTITIONS).block(ProofJob.PATIENCE);
        for (long from = 0; from < events; from += BATCH) {
            List<AppendRecord> records = new ArrayList<>(BATCH);
            for (long i = from; i < Math.min(events, from + BATCH); i++) {
                records.add(AppendRecord.of(
                        key(i).getBytes(StandardCharsets.UTF_8),
                        ByteBuffer.allocate(Long.BYTES).putLong(i).array()));
            }
            topic.append(records).block(ProofJob.PATIENCE);
        }
    }

    private static String key(long event) {
        return "key" + event % KEYS;
    }

    /** Nanoseconds of a run; fails where a row is wrong or missing. */
    private long run(StateStore store, String name, long eventsPerBarrier) {
        decoded.set(0);
        for (int lane = 0; lane < PARTITIONS; lane++) {
            durable.set(lane, 0);
        }
        nextSample = 0;
        TableSink<String, Long> table = TransactionalSink.table(store, name, KeyCodec.tagged(), Codec.longs());
        long start = System.nanoTime();
        LogSource.of(new TypedTopic<>(
                        log.topic("events"),
                        record -> taken(ByteBuffer.wrap(record.value()).getLong())))
                .watermarksMillis(event -> event / EVENTS_PER_MILLI, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyByRecordKey(SlowSinkChild::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(SIZE)))
                .aggregate(Aggregations.counting())
                .writeTo(
                        table,
                        CheckpointSpec.everyEvents(eventsPerBarrier)
                                .orEvery(Duration.ofHours(1))
                                .named(name)
                                .drainWhen(Mono.empty()))
                .doOnNext(this::committed)
                .blockLast(Duration.ofMinutes(20));
        long took = System.nanoTime() - start;
        check(table);
        return took;
    }

    private long taken(long event) {
        long inFlight = decoded.incrementAndGet() - durableEvents();
        peakInFlight.accumulateAndGet(inFlight, Math::max);
        return event;
    }

    private void committed(Checkpoint checkpoint) {
        // A position tells it all, even where checkpoints have been conflated.
        for (LaneCheckpoint lane : checkpoint.lanes()) {
            durable.set(lane.lane(), lane.positions().get(0).nextOffset());
        }
        if (slowed != null && durableEvents() >= nextSample) {
            nextSample += events / HEAP_SAMPLES;
            System.gc();
            peakHeap = Math.max(
                    peakHeap,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
    }

    private long durableEvents() {
        long sum = 0;
        for (int lane = 0; lane < PARTITIONS; lane++) {
            sum += durable.get(lane);
        }
        return sum;
    }

    private void check(TableSink<String, Long> table) {
        long[] sums = table.rows()
                .reduce(new long[2], (sum, row) -> {
                    sum[0]++;
                    sum[1] += weight(row);
                    return sum;
                })
                .block(ProofJob.PATIENCE);
        long rows = 0;
        long weights = 0;
        long perWindow = SIZE * EVENTS_PER_MILLI;
        for (long first = 0; first < events; first += perWindow) {
            long last = Math.min(events, first + perWindow);
            long[] counts = new long[KEYS];
            for (long i = first; i < last; i++) {
                counts[(int) (i % KEYS)]++;
            }
            for (int key = 0; key < KEYS; key++) {
                if (counts[key] > 0) {
                    rows++;
                    weights += weight("key" + key, first / EVENTS_PER_MILLI, counts[key]);
                }
            }
        }
        if (sums[0] != rows || sums[1] != weights) {
            throw new IllegalStateException("expected " + rows + " rows of weight " + weights + " but there are "
                    + sums[0] + " of weight " + sums[1]);
        }
        System.out.println("rows " + rows);
    }

    private static long weight(WindowResult<String, Long> row) {
        return weight(row.key(), row.window().start(), row.value());
    }

    private static long weight(String key, long start, long count) {
        return (31L * key.hashCode() + Long.hashCode(start)) * count;
    }
}
