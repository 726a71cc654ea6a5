package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.FailureSink;
import io.fluxmark.windows.FunctionFailure;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.StateTransaction;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import reactor.core.publisher.Flux;

/**
 * The events that a job's functions have failed on, as rows of its own transaction: each stands here exactly once, and the count
 * of failed events at a commit is the number of rows at that commit. Give it to {@link
 * io.fluxmark.windows.FailurePolicy#deadLetterTo(FailureSink)}; all operators of a job may share one. Thread-safe.
 */
public final class FailureTable extends FailureSink {

    /** What its rows are, in {@link StoredSink}. */
    static final String KIND = "failure";

    private final StateStore store;
    private final String name;

    /** Operators of one lane number their rows together. */
    private final Map<JobLane, NumberedRows> lanes = Collections.synchronizedMap(new WeakHashMap<>());

    private FailureTable(StateStore store, String name) {
        this.store = store;
        this.name = name;
    }

    /** A table in the store of the job that it is used in. A name belongs to one job, and to one kind of dead letters. */
    public static FailureTable of(StateStore store, String name) {
        return new FailureTable(store, RowNames.checked(name));
    }

    /** The failures of one committed moment, in order per lane. Cold; reads what is requested. */
    public Flux<StoredFailure> failures() {
        return store.read(StoreTable.DEAD, RowNames.prefix(name), RowNames.end(name))
                .map(entry -> StoredFailure.decode(entry.value()));
    }

    @Override
    public Output open(LaneContext context) {
        JobLane lane = JobLane.of(context);
        lane.requireStore(store, "failure table " + name);
        NumberedRows rows = lanes.computeIfAbsent(
                lane, of -> new NumberedRows(new StoredSink(StoreTable.DEAD, name, "", KIND), of));
        return new Output() {
            @Override
            public void accept(FunctionFailure failure) {
                rows.add(StoredFailure.encode(failure));
            }

            @Override
            public void flush(StateTransaction transaction) {
                rows.flush((LaneTransaction) transaction);
            }
        };
    }
}
