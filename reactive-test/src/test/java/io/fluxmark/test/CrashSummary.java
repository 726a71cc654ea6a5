package io.fluxmark.test;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.ListState;
import io.fluxmark.windows.MapState;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.ReducingState;
import io.fluxmark.windows.StateDescriptor;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.ValueState;
import io.fluxmark.windows.WindowResult;
import java.time.Duration;
import java.util.List;

/**
 * A function with state of every kind and timers: says, some time after a key's first event, what has come, and forgets
 * slowly what it knows. Timers are set, deleted and set anew.
 *
 * @param fails whether it throws now and then, having changed something
 */
record CrashSummary(boolean fails) implements KeyedProcess<String, CrashEvent, WindowResult<String, Long>> {

    private static final long SPAN = 25;

    private static final StateDescriptor<ValueState<Long>> FIRST = StateDescriptor.value("first", Codec.longs());
    private static final StateDescriptor<ReducingState<Long>> SUM =
            StateDescriptor.<Long>reducing("sum", Codec.longs(), Long::sum).timeToLive(Duration.ofMillis(120));
    private static final StateDescriptor<ListState<Long>> TIMES =
            StateDescriptor.list("times", Codec.longs()).timeToLive(Duration.ofMillis(40));
    private static final StateDescriptor<MapState<Long, Long>> DIGITS = StateDescriptor.map(
                    "digits", KeyCodec.tagged(Long.class), Codec.longs())
            .timeToLive(Duration.ofMillis(70));

    @Override
    public List<StateDescriptor<?>> states() {
        return List.of(FIRST, SUM, TIMES, DIGITS);
    }

    @Override
    public String id() {
        return "summary";
    }

    private void failEvery(long nth, ProcessContext<String, WindowResult<String, Long>> context) {
        if (fails && context.timestamp() % nth == 0) {
            throw new IllegalStateException("no multiple of " + nth);
        }
    }

    @Override
    public void onEvent(CrashEvent event, ProcessContext<String, WindowResult<String, Long>> context) {
        context.state(SUM).add(event.amount());
        context.state(TIMES).add(event.time());
        context.state(DIGITS).put(event.time() % 10, event.time());
        context.state(DIGITS).remove(event.time() % 7);
        Long first = context.state(FIRST).get();
        if (first == null) {
            context.state(FIRST).set(event.time());
            context.setTimer(event.time() + SPAN);
        } else if (event.time() % 5 == 0 && context.deleteTimer(first + SPAN)) {
            context.setTimer(first + SPAN + 10);
        }
        failEvery(17, context);
    }

    @Override
    public void onTimer(ProcessContext<String, WindowResult<String, Long>> context) {
        Long known = context.state(SUM).get();
        long[] sum = {known == null ? 0 : known};
        context.state(TIMES).forEach(time -> sum[0] = 31 * sum[0] + time);
        context.state(DIGITS).forEach((digit, time) -> sum[0] = 31 * sum[0] + 7 * digit + time);
        TimeWindow span = new TimeWindow(context.timestamp() - SPAN, context.timestamp() + 1);
        context.emit(
                new WindowResult<>(context.key(), span, sum[0], WindowResult.Kind.ON_TIME, 0, 0, context.watermark()));
        context.state(FIRST).clear();
        failEvery(13, context);
    }
}
