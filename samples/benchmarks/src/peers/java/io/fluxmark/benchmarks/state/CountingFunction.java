package io.fluxmark.benchmarks.state;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Counts and sums by key, as {@link StateLane} does: reads the entry, changes it, puts it back. */
final class CountingFunction extends KeyedProcessFunction<Long, Long, Long>
        implements CheckpointedFunction, CheckpointListener {

    private static final long serialVersionUID = 1;

    @SuppressWarnings("NullAway.Init") // set in open
    private transient ValueState<Tuple2<Long, Long>> counts;

    @SuppressWarnings("NullAway.Init") // set in open
    private transient FlinkProgress progress;

    /** Count and sum, 16 bytes. */
    static ValueStateDescriptor<Tuple2<Long, Long>> counts() {
        return new ValueStateDescriptor<>("counts", Types.TUPLE(Types.LONG, Types.LONG));
    }

    @Override
    public void open(OpenContext context) {
        counts = getRuntimeContext().getState(counts());
        progress = FlinkProgress.current();
    }

    @Override
    public void processElement(Long key, Context context, Collector<Long> out) throws Exception {
        if (key < 0) {
            progress.mark(key);
            return;
        }
        Tuple2<Long, Long> entry = counts.value();
        if (entry == null) {
            entry = Tuple2.of(0L, 0L);
        }
        entry.f0++;
        entry.f1 += key;
        counts.update(entry);
        progress.updated();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
        FlinkProgress.current().snapshot(context.getCheckpointId());
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
        FlinkProgress.current().complete(checkpoint);
    }
}
