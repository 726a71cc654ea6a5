package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;

/** Drives the windows of one operator as their operator does, without demand and runs; counts events of string keys. */
final class LogicDriver {

    final LiveCounters counters = new LiveCounters();
    final WindowResults<String, Long> results = new WindowResults<>(counters);
    final KeyWindows<WindowScript.Event, String, long[], Long> logic;
    private final List<WindowResult<String, Long>> out = new ArrayList<>();

    LogicDriver(WindowSpec windows, StateBackend state) {
        LaneContext local = LaneContext.local();
        WindowDefinition<WindowScript.Event, String, long[], Long> definition = new WindowDefinition<>(
                "window-1", WindowScript.Event::key, KeyCodec.tagged(), windows, Aggregations.counting(), null, null);
        counters.restore(state, definition.name());
        long[] watermark = state.longs(definition.name(), Watermark.STATE_NAME);
        if (watermark != null) {
            results.watermark = watermark[0];
            results.forwardable = watermark[0];
        }
        logic = (KeyWindows<WindowScript.Event, String, long[], Long>)
                Windows.logic(definition, new StatefulLane(local, state), counters, results);
    }

    private record StatefulLane(LaneContext lane, StateBackend state) implements LaneContext {

        @Override
        public reactor.core.scheduler.Scheduler clock() {
            return lane.clock();
        }

        @Override
        public void counters(String operator, LiveCounters counters) {
            lane.counters(operator, counters);
        }
    }

    LogicDriver event(String key, long time) {
        counters.add(Counter.INGESTED, 1);
        long watermark = results.watermark;
        logic.addAll(
                EventBatch.<WindowScript.Event>builder()
                        .add(new WindowScript.Event(key, time, 0), time, watermark)
                        .build(watermark),
                0);
        logic.endRun();
        drain();
        return this;
    }

    LogicDriver watermark(long to) {
        long before = results.watermark;
        if (Watermark.advances(before, to)) {
            results.watermark = to;
            if (logic.isDue(to)) {
                logic.beginAdvance(before);
                while (!logic.proceed()) {
                    drain();
                }
                drain();
            }
            results.forwardable = to;
        }
        return this;
    }

    private void drain() {
        while (results.take() instanceof EventBatch<WindowResult<String, Long>> run) {
            for (int i = 0; i < run.size(); i++) {
                out.add(run.value(i));
            }
        }
    }

    /** The emissions since the last call. */
    List<String> out() {
        List<String> texts =
                out.stream().map(r -> r.key() + WindowScript.text(r)).toList();
        out.clear();
        return texts;
    }

    void barrier(StateTransaction transaction) {
        logic.flush(transaction);
        transaction.longs("window-1", Watermark.STATE_NAME, new long[] {results.watermark});
        counters.save(transaction, "window-1");
    }

    long count(Counter counter) {
        return counters.snapshot().get(counter);
    }
}
