package io.fluxmark.windows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import reactor.core.publisher.Flux;

/** A random stream of keyed events with barriers, cut into runs anyhow, and random stages for it; tells all that comes out. */
final class LaneScript {

    /** An event, of which a function may fail. */
    record Event(String key, int number, long time) {}

    private record Step(Event event, long before, boolean barrier) {}

    private final List<Step> steps = new ArrayList<>();
    private long end = Watermark.NONE;

    LaneScript(Random random) {
        int keys = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
        int count = random.nextInt(random.nextInt(8) == 0 ? 2_000 : 300);
        int disorder = random.nextInt(60);
        long time = random.nextInt(100) - 50L;
        long max = time;
        for (int i = 0; i < count; i++) {
            time += random.nextInt(12) == 0 ? random.nextInt(60) : random.nextInt(3);
            long of = time - random.nextInt(disorder + 1);
            Event event = new Event("k" + random.nextInt(keys), random.nextInt(1_000), of);
            steps.add(new Step(event, end, random.nextInt(40) == 0));
            max = Math.max(max, of);
            end = Watermark.later(end, Watermark.after(max, 5));
        }
    }

    int size() {
        return steps.size();
    }

    /** What one stream has brought forth. */
    static final class Told {

        /** Events, barriers with what they commit, and in between nothing that depends on demand. */
        final List<String> stream = new ArrayList<>();

        final List<String> late = new ArrayList<>();
        final List<String> failures = new ArrayList<>();
        long watermark = Watermark.NONE;
    }

    /** The elements, in runs of at most {@code run} events, with the end of the stream. */
    Flux<StreamElement<Event>> elements(int run, Map<Long, Map<String, String>> commits) {
        List<StreamElement<Event>> elements = new ArrayList<>();
        EventBatchBuilder<Event> builder = EventBatch.builder();
        long transaction = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            long after = i + 1 == steps.size() ? end : steps.get(i + 1).before;
            builder.add(step.event, step.event.time, step.before);
            if (step.barrier || builder.size() == run || i + 1 == steps.size()) {
                elements.add(builder.build(after));
            }
            if (step.barrier) {
                elements.add(barrier(++transaction, commits));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        elements.add(barrier(++transaction, commits));
        return Flux.fromIterable(elements);
    }

    private static CheckpointBarrier<Event> barrier(long id, Map<Long, Map<String, String>> commits) {
        StateTransaction transaction = new StateTransaction() {
            @Override
            public long id() {
                return id;
            }

            @Override
            public void longs(String operator, String name, long[] values) {
                // What else is kept is kept by group, and of no meaning to others.
                if (name.equals(LiveCounters.STATE_NAME) || name.equals(Watermark.STATE_NAME)) {
                    commits.computeIfAbsent(id, i -> new TreeMap<>())
                            .put(operator + "/" + name, java.util.Arrays.toString(values));
                }
            }
        };
        return new CheckpointBarrier<>(transaction, List.of(), false);
    }

    /** A stage over keyed events. */
    interface Stage {
        EventFlux<?> of(KeyedFlux<String, Event> keyed, Told told);
    }

    static Map<String, Stage> stages() {
        Map<String, Stage> all = new TreeMap<>();
        Duration ten = Duration.ofMillis(10);
        all.put("tumbling", windows(WindowSpec.tumbling(ten).allowedLateness(Duration.ofMillis(15))));
        all.put("tumbling without lateness", windows(WindowSpec.tumbling(ten)));
        all.put(
                "sliding",
                windows(WindowSpec.sliding(Duration.ofMillis(30), ten).allowedLateness(Duration.ofMillis(9))));
        all.put("early by count", windows(WindowSpec.tumbling(ten).early(Early.everyCount(3))));
        all.put("session", windows(WindowSpec.session(Duration.ofMillis(8)).allowedLateness(Duration.ofMillis(30))));
        all.put("count", windows(WindowSpec.count(3)));
        all.put("global", windows(WindowSpec.global()));
        all.put(
                "function",
                (keyed, told) ->
                        keyed.process(new Remembering(), LateSink.calling(late -> told.late.add(late.toString()))));
        return all;
    }

    private static Stage windows(WindowSpec spec) {
        return (keyed, told) -> keyed.window(spec)
                .lateTo(late -> told.late.add(late.toString()))
                .aggregate(Aggregations.summingLong(Event::number));
    }

    /** All that one lane, or many, make of the script. */
    Told tell(Stage stage, int run, int demand, java.util.function.UnaryOperator<KeyedFlux<String, Event>> lanes) {
        Told told = new Told();
        Map<Long, Map<String, String>> commits = new HashMap<>();
        EventFlux<Event> events = EventFlux.fromElements(elements(run, commits))
                .onFailure(FailurePolicy.deadLetterTo(failure -> told.failures.add(failure.toString())));
        EventFlux<?> out = stage.of(lanes.apply(events.keyBy(Event::key)), told);
        List<? extends StreamElement<?>> elements =
                out.elements().limitRate(demand).collectList().block(Duration.ofSeconds(30));
        for (StreamElement<?> element : elements) {
            if (element instanceof EventBatch<?> batch) {
                for (int i = 0; i < batch.size(); i++) {
                    told.stream.add(batch.value(i) + "@" + batch.timestamp(i) + " " + batch.sign(i) + " behind "
                            + batch.watermarkBefore(i));
                    requireRising(told, batch.watermarkBefore(i));
                }
                requireRising(told, batch.watermarkAfter());
            } else if (element instanceof Watermark<?> watermark) {
                requireRising(told, watermark.timestamp());
            } else if (element instanceof CheckpointBarrier<?> barrier) {
                long id = barrier.transaction().id();
                told.stream.add("barrier " + id + " " + commits.get(id));
            }
        }
        return told;
    }

    private static void requireRising(Told told, long watermark) {
        if (Watermark.advances(watermark, told.watermark)) {
            throw new AssertionError("the watermark steps back from " + told.watermark + " to " + watermark);
        }
        told.watermark = watermark;
    }

    /** A function with state and timers, that now and then fails. */
    private static final class Remembering implements KeyedProcess<String, Event, String> {

        private static final StateDescriptor<ValueState<Long>> SUM = StateDescriptor.value("sum", Codec.longs());
        private static final StateDescriptor<MapState<Long, Long>> RECENT = StateDescriptor.map(
                        "recent", KeyCodec.tagged(Long.class), Codec.longs())
                .timeToLive(Duration.ofMillis(40));

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(SUM, RECENT);
        }

        @Override
        public void onEvent(Event event, ProcessContext<String, String> context) {
            Long before = context.state(SUM).get();
            long sum = (before == null ? 0 : before) + event.number();
            context.state(SUM).set(sum);
            context.state(RECENT).put(event.number() % 10L, event.time());
            context.setTimer(event.time() + event.number() % 40 - 4);
            context.emit(context.key() + " sum " + sum + " at " + context.watermark());
            if (event.number() % 17 == 0) {
                throw new IllegalStateException("seventeen");
            }
        }

        @Override
        public void onTimer(ProcessContext<String, String> context) {
            Long sum = context.state(SUM).get();
            context.emit(context.key() + " timer " + context.timestamp() + " sum " + sum + " of "
                    + context.state(RECENT).size());
            if (sum != null && sum % 13 == 0) {
                throw new IllegalStateException("thirteen");
            }
            context.state(SUM).set(1L);
        }
    }
}
