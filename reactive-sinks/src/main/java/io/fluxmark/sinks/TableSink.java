package io.fluxmark.sinks;

import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A table of the latest result per key and window; a retraction without a new value removes the row. Rows are ordered by
 * the end and start of the window, then by key.
 */
public final class TableSink<K, V> extends TransactionalSink<WindowResult<K, V>> {

    private final StateStore store;
    private final String name;
    private final RowCodec<K, V> codec;

    TableSink(StateStore store, String name, @Nullable KeyCodec<K> keyCodec, @Nullable Codec<V> valueCodec) {
        this.store = store;
        this.name = name;
        this.codec = new RowCodec<>("table " + name, keyCodec, valueCodec);
    }

    /**
     * The rows of one committed moment. Cold: reads what is requested, in pages. Needs the codecs: given, or known from a
     * job that was assembled with this sink.
     */
    public Flux<WindowResult<K, V>> rows() {
        return codec.read(store, StoreTable.ROWS, name);
    }

    /** The row of a key and window as of the newest commit; empty if there is none. */
    public Mono<WindowResult<K, V>> row(K key, TimeWindow window) {
        return Mono.defer(() -> {
            byte[] at = key(window, codec.known().keys().encode(key));
            return codec.read(store, StoreTable.ROWS, at, KeyBytes.successor(at))
                    .next();
        });
    }

    /**
     * The rows of windows that end in {@code [from, to)}, epoch milliseconds, of one committed moment, ordered by the end and
     * start of the window, then by key. Cold; as {@link #rows()}.
     */
    public Flux<WindowResult<K, V>> rows(long from, long to) {
        if (from > to) {
            throw new IllegalArgumentException(
                    "a range of windows ends behind its begin, but was from " + from + " to " + to);
        }
        return codec.read(
                store, StoreTable.ROWS, ending(from).toBytes(), ending(to).toBytes());
    }

    private KeyBytes ending(long end) {
        return KeyBytes.key().add(name).add(end);
    }

    private byte[] key(TimeWindow window, byte[] key) {
        return TableRows.key(name, window, key);
    }

    /** Finds rows by key, window or span of time, each answer of one commit and with its watermark. */
    public TableQuery<K, V> query() {
        return new TableQuery<>(store, name, codec);
    }

    @Override
    StateStore store() {
        return store;
    }

    @Override
    List<JobDescription.Output> outputs(JobDefinition<?> definition) {
        return List.of(
                new JobDescription.Output("table", name, codec.of(definition).id()));
    }

    @Override
    String identity(JobDefinition<?> definition) {
        return codec.identity(definition);
    }

    @Override
    RowWriter<WindowResult<K, V>> open(JobDefinition<?> definition, JobLane lane) {
        ResultCodec<K, V> results = codec.of(definition);
        return new Rows(results, lane.keeper(results.of(StoreTable.ROWS, name)));
    }

    /** What was written since the last flush, as it came: of a row that changes again the transaction keeps the last. */
    private final class Rows implements RowWriter<WindowResult<K, V>> {

        private final ResultCodec<K, V> results;
        private final StoredSink.Keeper keeper;

        /** Lists of their own between two flushes: what is young is filled at less expense than what is old. */
        private List<byte[]> keys = new ArrayList<>();

        private List<byte @Nullable []> rows = new ArrayList<>();

        /** The window written last, and the beginning of its keys: windows fire with all their keys. */
        private @Nullable TimeWindow window;

        private byte[] prefix = {};

        Rows(ResultCodec<K, V> results, StoredSink.Keeper keeper) {
            this.results = results;
            this.keeper = keeper;
        }

        @Override
        public void write(WindowResult<K, V> result) {
            if (!result.window().equals(window)) {
                window = result.window();
                prefix = TableRows.key(name, window, new byte[0]);
            }
            byte[] key = results.keys().encode(result.key());
            byte[] place = Arrays.copyOf(prefix, prefix.length + key.length);
            System.arraycopy(key, 0, place, prefix.length, key.length);
            keys.add(place);
            rows.add(result.isRetraction() ? null : results.encode(result, key));
        }

        @Override
        public void flush(LaneTransaction transaction) {
            keeper.keep(transaction);
            for (int i = 0; i < keys.size(); i++) {
                byte[] row = rows.get(i);
                if (row == null) {
                    transaction.remove(StoreTable.ROWS, keys.get(i));
                } else {
                    transaction.put(StoreTable.ROWS, keys.get(i), row);
                }
            }
            keys = new ArrayList<>(keys.size());
            rows = new ArrayList<>(rows.size());
        }
    }
}
