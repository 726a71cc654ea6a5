package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.JobDefinition;
import java.util.ArrayList;
import java.util.List;

/** Two sinks in one commit. */
final class BothSinks<T> extends TransactionalSink<T> {

    private final TransactionalSink<T> first;
    private final TransactionalSink<T> second;

    BothSinks(TransactionalSink<T> first, TransactionalSink<T> second) {
        this.first = first;
        this.second = second;
    }

    @Override
    StateStore store() {
        return first.store();
    }

    @Override
    String identity(JobDefinition<?> definition) {
        return first.identity(definition) + ", " + second.identity(definition);
    }

    @Override
    List<JobDescription.Output> outputs(JobDefinition<?> definition) {
        List<JobDescription.Output> both = new ArrayList<>(first.outputs(definition));
        both.addAll(second.outputs(definition));
        return both;
    }

    @Override
    RowWriter<T> open(JobDefinition<?> definition, JobLane lane) {
        RowWriter<T> one = first.open(definition, lane);
        RowWriter<T> two = second.open(definition, lane);
        return new RowWriter<>() {
            @Override
            public void write(T value) {
                one.write(value);
                two.write(value);
            }

            @Override
            public void flush(LaneTransaction transaction) {
                one.flush(transaction);
                two.flush(transaction);
            }

            @Override
            public List<Delivery> deliveries() {
                List<Delivery> both = new ArrayList<>(one.deliveries());
                both.addAll(two.deliveries());
                return both;
            }
        };
    }
}
