package io.fluxmark.sinks;

import io.fluxmark.state.KeyReader;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads numbered rows in pages, from a place on, and goes on with each commit of the store. Between pages nothing of the store
 * is held, so a slow subscriber keeps no file space.
 */
final class ChangeReader<T> {

    private static final int PAGE = 256;

    private final StateStore store;
    private final String name;
    private final Function<byte[], T> decoder;

    ChangeReader(StateStore store, String name, Function<byte[], T> decoder) {
        this.store = store;
        this.name = name;
        this.decoder = decoder;
    }

    /** All from a position on, and then what is committed. Never completes. */
    Flux<Change<T>> follow(ChangePosition from) {
        return Flux.defer(() -> {
            Map<Integer, Long> next = new HashMap<>(from.next());
            // One commit is asked for at a time, when all before it is handed out: the newest one that there is.
            return store.commits().concatMap(commit -> rest(next), 1);
        });
    }

    /** What is committed from a position on, now. */
    Flux<Change<T>> read(ChangePosition from) {
        return Flux.defer(() -> rest(new HashMap<>(from.next())));
    }

    private Flux<Change<T>> rest(Map<Integer, Long> next) {
        return Flux.defer(() -> lanesFrom(0)).concatMap(lane -> lane(lane, next), 1);
    }

    /** The lanes that have rows, looked up one after the other. */
    private Flux<Integer> lanesFrom(int first) {
        return firstLane(first).expand(lane -> firstLane(lane + 1));
    }

    private Mono<Integer> firstLane(int from) {
        return store.read(StoreTable.CHANGELOG, RowNames.numbered(name, from, 0), RowNames.end(name))
                .next()
                .map(entry -> {
                    KeyReader key = new KeyReader(entry.key());
                    key.readString();
                    return key.readInt();
                });
    }

    private Flux<Change<T>> lane(int lane, Map<Integer, Long> next) {
        return page(lane, next)
                .expand(page -> page.size() < PAGE ? Mono.empty() : page(lane, next), 1)
                .concatMapIterable(page -> page, 1);
    }

    private Mono<List<Change<T>>> page(int lane, Map<Integer, Long> next) {
        return Mono.defer(() -> {
            long from = next.getOrDefault(lane, 0L);
            return store.read(
                            StoreTable.CHANGELOG,
                            RowNames.numbered(name, lane, from),
                            RowNames.numbered(name, lane, Long.MAX_VALUE))
                    .take(PAGE)
                    .map(this::change)
                    .collectList()
                    .doOnNext(page -> {
                        if (!page.isEmpty()) {
                            next.put(lane, page.get(page.size() - 1).number() + 1);
                        }
                    });
        });
    }

    private Change<T> change(StoreEntry entry) {
        KeyReader key = new KeyReader(entry.key());
        key.readString();
        return new Change<>(key.readInt(), key.readLong(), decoder.apply(entry.value()));
    }

    /** The end of what is committed: behind the last change of each lane. */
    Mono<ChangePosition> end() {
        return lanesFrom(0)
                .concatMap(lane -> count(lane).map(count -> Map.entry(lane, count)), 1)
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(ChangePosition::new);
    }

    /** How many rows a lane has: numbers have no gaps, so the first that is missing is found by halving. */
    private Mono<Long> count(int lane) {
        return has(lane, 0).flatMap(any -> any ? grow(lane, 1) : Mono.just(0L));
    }

    /** @param known a number that is there, or 1 */
    private Mono<Long> grow(int lane, long known) {
        return has(lane, known).flatMap(there -> there ? grow(lane, known * 2) : halve(lane, known / 2, known));
    }

    /**
     * @param low a number that is there
     * @param high one that is not, above it
     */
    private Mono<Long> halve(int lane, long low, long high) {
        if (high - low <= 1) {
            return Mono.just(high);
        }
        long middle = low + (high - low) / 2;
        return has(lane, middle).flatMap(there -> there ? halve(lane, middle, high) : halve(lane, low, middle));
    }

    private Mono<Boolean> has(int lane, long number) {
        return store.read(
                        StoreTable.CHANGELOG,
                        RowNames.numbered(name, lane, number),
                        RowNames.numbered(name, lane, number + 1))
                .hasElements();
    }
}
