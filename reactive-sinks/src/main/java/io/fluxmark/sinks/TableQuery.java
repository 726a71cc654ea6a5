package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoreTable;
import io.fluxmark.state.StoredLane;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds rows of a table by key and window. Every answer is of one commit, however much is committed meanwhile, and comes with
 * the watermark and the positions of that commit. Thread-safe.
 *
 * <p>Only committed results are there: a window that is still open has no row, unless it gives early results. Reads on the
 * requesting thread, which may touch the disk: {@code subscribeOn} a scheduler that may block. Needs the codecs as {@link
 * TableSink#rows} does.
 */
public final class TableQuery<K, V> {

    /** Most rows of a list, unless a query says otherwise. */
    public static final int DEFAULT_LIMIT = 10_000;

    private static final int MAX_LIMIT = 1_000_000;

    private final StateStore store;
    private final String table;
    private final RowCodec<K, V> codec;

    TableQuery(StateStore store, String table, RowCodec<K, V> codec) {
        this.store = store;
        this.table = table;
        this.codec = codec;
    }

    /** As {@link #list(RowSelection, int)} with {@link #DEFAULT_LIMIT}. */
    public Mono<QueryAnswer<K, V>> list(RowSelection<K> selection) {
        return list(selection, DEFAULT_LIMIT);
    }

    /**
     * The rows selected, as a list, of the newest commit at subscription.
     *
     * @param limit most rows, 1 to 1 000 000; if there are more, the answer has the first ones and says so
     */
    public Mono<QueryAnswer<K, V>> list(RowSelection<K> selection, int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + " but was " + limit);
        }
        return answer(selection, (moment, rows) -> rows.take(limit + 1L)
                        .collectList()
                        .map(list -> new QueryAnswer<>(
                                moment, list.subList(0, Math.min(limit, list.size())), list.size() <= limit)))
                .single();
    }

    /**
     * The rows selected, as a stream, of the newest commit at subscription. The commit is held until what the function
     * returns has ended or is cancelled: file space is not reused meanwhile, so let no slow receiver hold it for long.
     *
     * @param answer makes the answer of the commit and its rows; these are cold and read in pages, only what is requested
     */
    public <R> Flux<R> answer(
            RowSelection<K> selection,
            BiFunction<QueryMoment, Flux<WindowResult<K, V>>, ? extends Publisher<? extends R>> answer) {
        Objects.requireNonNull(selection, "selection");
        Objects.requireNonNull(answer, "answer");
        return store.snapshot(
                snapshot -> moment(snapshot).flatMapMany(moment -> answer.apply(moment, rows(snapshot, selection))));
    }

    private Flux<WindowResult<K, V>> rows(StoreSnapshot snapshot, RowSelection<K> selection) {
        return Flux.defer(() -> {
            ResultCodec<K, V> results = codec.known();
            K asked = selection.key();
            byte @Nullable [] key = asked == null ? null : results.keys().encode(asked);
            TimeWindow window = selection.window();
            if (window == null) {
                return TableRows.read(snapshot, table, selection.within(), key).map(results::decode);
            }
            return selection.covers(window)
                    ? TableRows.readWindow(snapshot, table, window, key).map(results::decode)
                    : Flux.empty();
        });
    }

    private Mono<QueryMoment> moment(StoreSnapshot snapshot) {
        List<StoredLane> lanes = snapshot.lanes().stream()
                .filter(lane -> StoredSink.of(lane.record()).stream()
                        .anyMatch(sink ->
                                sink.table() == StoreTable.ROWS && sink.name().equals(table)))
                .toList();
        return StoredJob.committed(snapshot, lanes)
                .collectList()
                .map(committed -> new QueryMoment(snapshot.commit(), committed));
    }
}
