package io.fluxmark.windows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;

/** A function that uses every kind of state and timers, and says all it sees; events to feed it; and what a loop makes of it. */
final class ProcessScript implements KeyedProcess<String, ProcessScript.Event, String> {

    /** An event: what is done with it follows from its number. */
    record Event(String key, int number, long time) {}

    private static final StateDescriptor<ValueState<Long>> COUNT =
            StateDescriptor.value("count", Codec.longs()).timeToLive(Duration.ofMillis(20));
    private static final StateDescriptor<ListState<Long>> RECENT =
            StateDescriptor.list("recent", Codec.longs()).timeToLive(Duration.ofMillis(40));
    private static final StateDescriptor<MapState<Long, String>> NAMES = StateDescriptor.map(
                    "names", KeyCodec.tagged(Long.class), Codec.strings())
            .timeToLive(Duration.ofMillis(15));
    private static final StateDescriptor<MapState<String, Long>> KINDS =
            StateDescriptor.map("kinds", KeyCodec.tagged(String.class), Codec.longs());
    private static final StateDescriptor<ReducingState<Long>> SUM =
            StateDescriptor.reducing("sum", Codec.longs(), Long::sum);
    private static final StateDescriptor<ReducingState<Long>> MAX =
            StateDescriptor.<Long>reducing("max", Codec.longs(), Math::max).timeToLive(Duration.ofMillis(9));

    private static final BinaryOperator<Long> PLUS = Long::sum;
    private static final BinaryOperator<Long> LARGER = Math::max;

    /** The names of states whose entries expire, and of those that have to be empty in the end. */
    static final Map<String, Long> TIMES_TO_LIVE = Map.of("count", 20L, "recent", 40L, "names", 15L, "max", 9L);

    static PlainProcess<String, Event, String> oracle() {
        return new PlainProcess<>(new ProcessScript(), TIMES_TO_LIVE, Map.of("sum", PLUS, "max", LARGER));
    }

    /** Events out of order by up to {@code disorder} ms. */
    static List<Event> events(Random random, int count, int disorder) {
        List<Event> events = new ArrayList<>();
        long time = random.nextInt(100) - 50L;
        for (int i = 0; i < count; i++) {
            time += random.nextInt(4) == 0 ? random.nextInt(30) : random.nextInt(3);
            events.add(new Event("k" + random.nextInt(4), random.nextInt(1_000), time - random.nextInt(disorder + 1)));
        }
        return events;
    }

    @Override
    public List<StateDescriptor<?>> states() {
        return List.of(COUNT, RECENT, NAMES, KINDS, SUM, MAX);
    }

    @Override
    public void onEvent(Event event, ProcessContext<String, String> context) {
        int number = event.number();
        ValueState<Long> count = context.state(COUNT);
        Long before = count.get();
        count.set(before == null ? 1 : before + 1);
        context.state(RECENT).add((long) number);
        MapState<Long, String> names = context.state(NAMES);
        names.put(number % 5L, "n" + number);
        names.remove(number / 10 % 7L);
        MapState<String, Long> kinds = context.state(KINDS);
        kinds.put("kind" + number % 3, (long) number);
        context.state(SUM).add((long) number);
        context.state(MAX).add((long) number);
        switch (number % 11) {
            case 0 -> context.state(RECENT).clear();
            case 1 -> names.clear();
            case 2 -> count.clear();
            case 3 ->
                kinds.forEach((kind, value) -> {
                    if (value % 2 == 0) {
                        kinds.remove(kind);
                    }
                });
            case 4 -> context.state(SUM).clear();
            default -> context.setTimer(event.time() + number % 25);
        }
        boolean deleted = context.deleteTimer(event.time() + number * 7 % 25);
        context.setTimer(Math.floorDiv(event.time(), 50L) * 50 + 2_000L * (number % 3));
        context.emit("event " + number + " " + deleted + " " + seen(context));
    }

    @Override
    public void onTimer(ProcessContext<String, String> context) {
        boolean set = context.timestamp() % 3 == 0 && context.setTimer(context.timestamp() + 4);
        if (context.timestamp() % 5 == 0) {
            context.state(KINDS).clear();
            context.state(COUNT).set(context.timestamp());
        }
        context.emit("timer " + set + " " + seen(context));
    }

    /** Everything that can be seen. */
    private static String seen(ProcessContext<String, String> context) {
        StringBuilder text = new StringBuilder(context.key())
                .append(" W")
                .append(context.watermark())
                .append(context.isLate() ? " late " : " ")
                .append(context.state(COUNT).get())
                .append(context.state(RECENT).get())
                .append(context.state(RECENT).size())
                .append(context.state(SUM).get())
                .append(' ')
                .append(context.state(MAX).get());
        context.state(NAMES)
                .forEach((number, name) ->
                        text.append(' ').append(number).append('=').append(name));
        text.append(' ')
                .append(context.state(NAMES).size())
                .append(context.state(NAMES).isEmpty())
                .append(':');
        context.state(KINDS)
                .forEach((kind, value) ->
                        text.append(' ').append(kind).append('=').append(value));
        return text.append(' ').append(context.state(KINDS).size()).toString();
    }
}
