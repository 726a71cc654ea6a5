package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.InvalidSink;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/** Keys and times as text, the topic of them, and a count of them by key and window. */
final class Ticks {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final int PARTITIONS = 4;
    static final WindowSpec WINDOWS =
            WindowSpec.tumbling(Duration.ofMillis(100)).allowedLateness(Duration.ofMillis(100));

    private static final int DELAY = 20;

    /** An event: a key and its time. */
    record Tick(String key, long time) {
        static Tick parse(String text) {
            int at = text.indexOf('@');
            return new Tick(text.substring(0, at), Long.parseLong(text.substring(at + 1)));
        }

        AppendRecord record() {
            return AppendRecord.of(
                    key.getBytes(StandardCharsets.UTF_8), (key + "@" + time).getBytes(StandardCharsets.UTF_8));
        }
    }

    private Ticks() {}

    static boolean thorough() {
        return System.getProperty("fluxmark.tier", "small").equals("thorough");
    }

    /** The topic, created where it is missing. */
    static TypedTopic<Tick> topic(EventLog log) {
        return new TypedTopic<>(
                log.createTopic("ticks", PARTITIONS).block(PATIENCE),
                record -> Tick.parse(EventCodec.utf8().decode(record)));
    }

    /** Some out of order, some too late. */
    static List<Tick> random(int count, long seed) {
        Random random = new Random(seed);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long late = random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(20);
            ticks.add(new Tick("k" + random.nextInt(50), i - late));
        }
        return ticks;
    }

    static void append(TypedTopic<Tick> topic, List<Tick> ticks) {
        topic.topic().append(ticks.stream().map(Tick::record).toList()).block(PATIENCE);
    }

    static EventFlux<WindowResult<String, Long>> counts(TypedTopic<Tick> topic, InvalidSink invalid) {
        return LogSource.of(topic)
                .invalidTo(invalid)
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(DELAY)))
                .keyByRecordKey(Tick::key)
                .window(WINDOWS)
                .aggregate(Aggregations.counting());
    }

    static EventFlux<WindowResult<String, Long>> counts(TypedTopic<Tick> topic) {
        return counts(topic, InvalidSink.calling(invalid -> {}));
    }

    /** What batch evaluation makes of what each partition accepts, by a plain loop over the rule of lateness. */
    static Map<PlainBatch.Slot<String>, Long> batch(TypedTopic<Tick> topic, List<Tick> ticks) {
        return batch(topic, ticks, tick -> true);
    }

    /** The same of those that are kept; all move the watermark. */
    static Map<PlainBatch.Slot<String>, Long> batch(TypedTopic<Tick> topic, List<Tick> ticks, Predicate<Tick> kept) {
        Map<Integer, Long> maxima = new HashMap<>();
        List<Tick> accepted = new ArrayList<>();
        for (Tick tick : ticks) {
            int partition = topic.topic().partitionFor(tick.key().getBytes(StandardCharsets.UTF_8));
            long max = maxima.getOrDefault(partition, -1_000_000L);
            long end = Math.floorDiv(tick.time(), 100L) * 100 + 100;
            if (kept.test(tick) && max - DELAY - 1 < end - 1 + 100) {
                accepted.add(tick);
            }
            maxima.put(partition, Math.max(max, tick.time()));
        }
        Map<PlainBatch.Slot<String>, Long> values = new HashMap<>();
        PlainBatch.evaluate(accepted, Tick::time, Tick::key, WINDOWS, Aggregations.<Tick>counting())
                .forEach(r -> values.put(new PlainBatch.Slot<>(r.key(), r.window()), r.value()));
        return values;
    }
}
