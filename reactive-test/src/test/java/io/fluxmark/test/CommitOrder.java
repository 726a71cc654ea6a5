package io.fluxmark.test;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneStateBackend;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreCommit;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.SourcePosition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Jobs written by hand over two commits where one is needed, wrong on purpose: each record becomes a row, and what is
 * committed first, the rows or the offset behind them, decides what a crash in between costs. Beside them the right one.
 */
enum CommitOrder implements JobUnderTest {
    /** One transaction. */
    TOGETHER,

    /** Rows and their count first: a crash in between replays records whose rows are there. */
    STATE_THEN_OFFSET,

    /** The offset first: a crash in between loses the rows of records that will not be read again. */
    OFFSET_THEN_STATE;

    /** The topic that is read. */
    static final String TOPIC = "events";

    /** As a job of ours keeps its position, so that it can be looked at in the same way. */
    private static final String JOB = "job";

    private static final String POSITION = "position";
    private static final String ROWS = "rows";

    @Override
    public Flux<Checkpoint> run(EventLog log, StateStore store, CheckpointSpec spec) {
        return Flux.fromIterable(log.topic(TOPIC).partitions())
                .flatMap(partition -> store.openLane(JobCase.JOB, partition.id())
                        .flatMapMany(session -> new Lane(this, partition, session, spec).run()));
    }

    /** One lane, from the committed offset on. */
    private static final class Lane {

        private final CommitOrder order;
        private final Partition partition;
        private final LaneSession session;
        private final CheckpointSpec spec;
        private final List<LogRecord> rest = new ArrayList<>();
        private long next;
        private long rows;
        private boolean finished;

        Lane(CommitOrder order, Partition partition, LaneSession session, CheckpointSpec spec) {
            this.order = order;
            this.partition = partition;
            this.session = session;
            this.spec = spec;
            LaneStateBackend state = LaneStateBackend.of(session, 1 << 20);
            long[] position = state.longs(JOB, POSITION);
            next = position == null ? 0 : position[0];
            finished = position != null && position[1] != 0;
            long[] count = state.longs(JOB, ROWS);
            rows = count == null ? 0 : count[0];
        }

        Flux<Checkpoint> run() {
            if (finished) {
                return Flux.empty();
            }
            int size = Math.toIntExact(spec.events());
            Publisher<?> drain = Objects.requireNonNull(spec.drain());
            Flux<Checkpoint> live = partition
                    .read(next)
                    .takeUntilOther(Mono.from(drain).then(Mono.just(true)))
                    .buffer(size)
                    .filter(full -> full.size() == size)
                    .concatMap(full -> commit(full, false), 1);
            Flux<Checkpoint> drained = Flux.defer(() -> partition.readTo(next, partition.endOffset()))
                    .buffer(size)
                    .concatMap(some -> some.size() == size ? commit(some, false) : keep(some), 1);
            return live.concatWith(drained).concatWith(Mono.defer(() -> commit(rest, true)));
        }

        private Mono<Checkpoint> keep(List<LogRecord> some) {
            rest.addAll(some);
            return Mono.empty();
        }

        private Mono<Checkpoint> commit(List<LogRecord> records, boolean last) {
            next += records.size();
            Mono<StoreCommit> committed =
                    switch (order) {
                        case TOGETHER -> submit(records, true, true, last);
                        case STATE_THEN_OFFSET ->
                            submit(records, true, false, last).then(submit(records, false, true, last));
                        case OFFSET_THEN_STATE ->
                            submit(records, false, true, last).then(submit(records, true, false, last));
                    };
            return committed.map(commit -> new Checkpoint(
                    JobCase.JOB,
                    commit.number(),
                    0,
                    List.of(new LaneCheckpoint(
                            partition.id(),
                            session.committedTransaction(),
                            List.of(new SourcePosition(TOPIC, partition.id(), next)),
                            Map.of(),
                            last))));
        }

        private Mono<StoreCommit> submit(List<LogRecord> records, boolean state, boolean offset, boolean last) {
            return Mono.defer(() -> {
                LaneTransaction transaction = session.begin();
                if (state) {
                    for (LogRecord record : records) {
                        long sequence = record.sequence().orElseThrow().sequence();
                        byte[] key = KeyBytes.key()
                                .add(ROWS)
                                .add(partition.id())
                                .add(rows++)
                                .toBytes();
                        byte[] row = ByteBuffer.allocate(Long.BYTES)
                                .putLong(sequence)
                                .array();
                        transaction.put(StoreTable.CHANGELOG, key, row);
                    }
                    transaction.longs(JOB, ROWS, new long[] {rows});
                }
                if (offset) {
                    transaction.longs(JOB, POSITION, new long[] {next, last ? 1 : 0, transaction.id(), next});
                }
                return session.submit(transaction);
            });
        }
    }
}
