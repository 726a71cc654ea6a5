package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Collects the events of both streams in a window, and joins them when it is asked for its value.
 *
 * @param joiner makes what is emitted of a pair, where the one that is not there is null
 */
record JoinAggregation<L, R, O>(
        JoinKind kind,
        BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner,
        @Nullable Codec<L> leftCodec,
        @Nullable Codec<R> rightCodec)
        implements Aggregation<JoinEvent<L, R>, JoinLists<L, R>, List<O>> {

    @Override
    public JoinLists<L, R> create() {
        return new JoinLists<>();
    }

    @Override
    public JoinLists<L, R> add(JoinLists<L, R> lists, JoinEvent<L, R> event) {
        L ofLeft = event.left();
        if (ofLeft != null) {
            lists.left.add(ofLeft);
        } else {
            lists.right.add(Objects.requireNonNull(event.right(), "right"));
        }
        return lists;
    }

    @Override
    public JoinLists<L, R> merge(JoinLists<L, R> first, JoinLists<L, R> second) {
        first.left.addAll(second.left);
        first.right.addAll(second.right);
        return first;
    }

    @Override
    public List<O> result(JoinLists<L, R> lists) {
        List<O> joined = new ArrayList<>();
        for (L ofLeft : lists.left) {
            for (R ofRight : lists.right) {
                joined.add(join(ofLeft, ofRight));
            }
        }
        if (lists.right.isEmpty() && kind.keepsLeft()) {
            lists.left.forEach(ofLeft -> joined.add(join(ofLeft, null)));
        }
        if (lists.left.isEmpty() && kind.keepsRight()) {
            lists.right.forEach(ofRight -> joined.add(join(null, ofRight)));
        }
        return List.copyOf(joined);
    }

    private O join(@Nullable L ofLeft, @Nullable R ofRight) {
        return Objects.requireNonNull(joiner.apply(ofLeft, ofRight), "the joiner returned null");
    }

    @Override
    public String id() {
        return "window join " + kind;
    }

    @Override
    public @Nullable Codec<JoinLists<L, R>> accumulatorCodec() {
        return leftCodec == null || rightCodec == null
                ? null
                : new JoinListsCodec<>(Codec.listOf(leftCodec), Codec.listOf(rightCodec));
    }

    @Override
    public String toString() {
        return id();
    }
}
