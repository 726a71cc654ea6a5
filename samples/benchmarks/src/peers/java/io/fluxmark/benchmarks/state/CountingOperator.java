package io.fluxmark.benchmarks.state;

import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Runs {@link CountingFunction}, and at the end adds up what the state holds, which a function can't see as a whole. */
final class CountingOperator extends KeyedProcessOperator<Long, Long, Long> {

    private static final long serialVersionUID = 1;

    private final boolean check;

    CountingOperator(boolean check) {
        super(new CountingFunction());
        this.check = check;
    }

    @Override
    public void processElement(StreamRecord<Long> element) throws Exception {
        super.processElement(element);
        if (check && element.getValue() == UpdateSource.END) {
            FlinkProgress.current().total(total());
        }
    }

    /** How often the keys were updated, over all entries; -1 where a sum does not fit its count. */
    private long total() throws Exception {
        long[] total = {0};
        boolean[] wrong = {false};
        this.<Long>getKeyedStateBackend()
                .applyToAllKeys(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        CountingFunction.counts(),
                        (key, state) -> {
                            Tuple2<Long, Long> entry = state.value();
                            wrong[0] |= entry == null || entry.f1 != entry.f0 * key;
                            total[0] += entry == null ? 0 : entry.f0;
                        });
        return wrong[0] ? -1 : total[0];
    }
}
