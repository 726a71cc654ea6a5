package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.state.StoredWindows.Event;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PaneStore;
import io.fluxmark.windows.StateHeader;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** State says who wrote it, and is not given to anybody else. */
class StoredHeaderTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    @TempDir
    Path directory;

    private StateStore store;

    @BeforeEach
    void open() {
        store = Stores.open(directory, Stores.synchronous());
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Runs a job over one event and a barrier, which is durable then. */
    private <A, R> void run(WindowSpec windows, Aggregation<Event, A, R> aggregation) {
        LaneSession session = Stores.lane(store, 0);
        LaneTransaction transaction = session.begin();
        StoredWindows.Lane lane = new StoredWindows.Lane(LaneStateBackend.of(session, 1 << 20));
        List<StreamElement<Event>> elements = List.of(
                EventBatch.<Event>builder().add(new Event("k", 1), 1, -1).build(-1),
                new CheckpointBarrier<>(transaction, List.of(), false));
        EventFlux.fromElements(Flux.fromIterable(elements))
                .keyBy(Event::key)
                .window(windows)
                .aggregate(aggregation)
                .elements(() -> lane)
                .blockLast(Stores.PATIENCE);
        Stores.await(session.submit(transaction));
    }

    @Test
    void anotherAggregationWithTheSameCodecIsRefusedNamingBothAndTheRemedy() {
        run(TEN, Aggregations.counting());
        run(TEN, Aggregations.counting());
        assertThatThrownBy(() -> run(TEN, Aggregations.summingLong(Event::time)))
                .isInstanceOf(StateStoreException.class)
                .hasMessage(
                        "The state of operator window-1 of job job was written with aggregation counting, and is to be"
                                + " read with aggregation summingLong; use what wrote it again, or a new operator or job name");
        assertThatThrownBy(() -> run(
                        TEN,
                        Aggregations.allOf(
                                Aggregations.<Event>counting(), Aggregations.counting(), (one, other) -> one + other)))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("allOf(counting, counting)");
        run(TEN, Aggregations.counting());
    }

    @Test
    void anotherKindOfWindowsIsRefused() {
        run(TEN, Aggregations.counting());
        assertThatThrownBy(() ->
                        run(WindowSpec.sliding(Duration.ofMillis(20), Duration.ofMillis(10)), Aggregations.counting()))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("operator tumbling windows")
                .hasMessageContaining("operator sliding windows");
        assertThatThrownBy(() -> run(WindowSpec.session(Duration.ofMillis(10)), Aggregations.counting()))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("session windows")
                .hasMessageContaining("long[]")
                .hasMessageContaining("windows of long[]");
    }

    @Test
    void anotherCodecOfWhatIsEmittedIsRefused() {
        run(TEN, Aggregations.counting());
        assertThatThrownBy(() -> panes(StateHeader.EMPTY, Codec.strings()))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("emitted codec long")
                .hasMessageContaining("emitted codec string");
    }

    private PaneStore<String, long[]> panes(StateHeader header, Codec<?> emitted) {
        LaneSession session = Stores.lane(store, 0);
        return LaneStateBackend.of(session, 1 << 20)
                .panes("window-1", header, KeyCodec.tagged(), Codec.longArrays(), emitted);
    }

    @Test
    void aPartThatOnlyOneOfThemHasIsNotComparedAndNotForgotten() {
        run(TEN, named(null));
        run(TEN, named("mine"));
        run(TEN, named(null));
        assertThatThrownBy(() -> run(TEN, named("other")))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("aggregation mine")
                .hasMessageContaining("aggregation other");
    }

    /** An aggregation of one's own. */
    private static Aggregation<Event, long[], Long> named(String id) {
        Aggregation<Event, long[], Long> counting = Aggregations.counting();
        return new Aggregation<>() {
            @Override
            public long[] create() {
                return counting.create();
            }

            @Override
            public long[] add(long[] accumulator, Event event) {
                return counting.add(accumulator, event);
            }

            @Override
            public long[] merge(long[] first, long[] second) {
                return counting.merge(first, second);
            }

            @Override
            public Long result(long[] accumulator) {
                return counting.result(accumulator);
            }

            @Override
            public String id() {
                return id;
            }

            @Override
            public Codec<long[]> accumulatorCodec() {
                return counting.accumulatorCodec();
            }
        };
    }

    /** As stores were written before there were headers. */
    private void recordCodecs(String accumulators) {
        LaneSession session = Stores.lane(store, 0);
        LaneTransaction transaction = session.begin();
        byte[] ids = KeyBytes.key().add("tagged").add(accumulators).toBytes();
        transaction.put(StoreTable.STATE, PaneKeys.codecs("window-1"), ids);
        Stores.await(session.submit(transaction));
    }

    private byte[] recorded(byte[] key) {
        return Stores.lane(store, 0).get(StoreTable.STATE, key);
    }

    @Test
    void stateFromBeforeThereWereHeadersIsTakenAndGetsOne() {
        recordCodecs("long[]");
        run(TEN, Aggregations.counting());
        assertThat(recorded(PaneKeys.codecs("window-1"))).isNull();
        assertThat(recorded(PaneKeys.header("window-1"))).isNotNull();
        assertThatThrownBy(() -> run(TEN, Aggregations.maxLong(Event::time)))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("aggregation counting");
    }

    @Test
    void otherCodecsThanThoseRecordedBeforeThereWereHeadersAreRefused() {
        recordCodecs("string");
        assertThatThrownBy(() -> run(TEN, Aggregations.counting()))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("accumulator codec string")
                .hasMessageContaining("accumulator codec long[]");
        assertThat(recorded(PaneKeys.codecs("window-1"))).isNotNull();
    }

    @Test
    void aHeaderIsWrittenOnceAndNotWithEveryBarrier() {
        run(TEN, Aggregations.counting());
        LaneSession session = Stores.lane(store, 0);
        PaneStore<String, long[]> panes = LaneStateBackend.of(session, 1 << 20)
                .panes("window-1", StateHeader.EMPTY, KeyCodec.tagged(), Codec.longArrays(), null);
        LaneTransaction transaction = session.begin();
        long empty = transaction.bytes();
        panes.flush(transaction);
        assertThat(transaction.bytes()).isEqualTo(empty);
    }

    @Test
    void aHeaderOfALaterLayoutIsNamedAndNotRead() {
        LaneSession session = Stores.lane(store, 0);
        LaneTransaction transaction = session.begin();
        transaction.put(StoreTable.STATE, PaneKeys.header("window-1"), new byte[] {2, 0});
        Stores.await(session.submit(transaction));
        assertThatThrownBy(() -> run(TEN, Aggregations.counting()))
                .isInstanceOf(StoreFormatException.class)
                .hasMessageContaining("layout 2");
    }
}
