package io.fluxmark.windows;

import java.nio.ByteBuffer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Two aggregations side by side. The accumulator's layout: the length of the first one's bytes, both ones' bytes. */
final class PairAggregation<T, A, B, X, Y, R> implements Aggregation<T, PairAggregation.Both<A, B>, R> {

    /** Both accumulators; replaced in place. */
    static final class Both<A, B> {
        A first;
        B second;

        Both(A first, B second) {
            this.first = first;
            this.second = second;
        }
    }

    private final Aggregation<? super T, A, X> first;
    private final Aggregation<? super T, B, Y> second;
    private final BiFunction<? super X, ? super Y, ? extends R> combiner;
    private final @Nullable Codec<R> resultCodec;

    PairAggregation(
            Aggregation<? super T, A, X> first,
            Aggregation<? super T, B, Y> second,
            BiFunction<? super X, ? super Y, ? extends R> combiner,
            @Nullable Codec<R> resultCodec) {
        this.first = first;
        this.second = second;
        this.combiner = combiner;
        this.resultCodec = resultCodec;
    }

    @Override
    public @Nullable String id() {
        String one = first.id();
        String other = second.id();
        return one == null || other == null ? null : "allOf(" + one + ", " + other + ")";
    }

    @Override
    public Both<A, B> create() {
        return new Both<>(first.create(), second.create());
    }

    @Override
    public Both<A, B> add(Both<A, B> both, T event) {
        both.first = first.add(both.first, event);
        both.second = second.add(both.second, event);
        return both;
    }

    @Override
    public boolean canSubtract() {
        return first.canSubtract() && second.canSubtract();
    }

    @Override
    public Both<A, B> subtract(Both<A, B> both, T event) {
        both.first = first.subtract(both.first, event);
        both.second = second.subtract(both.second, event);
        return both;
    }

    @Override
    public Both<A, B> merge(Both<A, B> one, Both<A, B> other) {
        one.first = first.merge(one.first, other.first);
        one.second = second.merge(one.second, other.second);
        return one;
    }

    @Override
    public R result(Both<A, B> both) {
        return combiner.apply(first.result(both.first), second.result(both.second));
    }

    @Override
    public @Nullable Codec<Both<A, B>> accumulatorCodec() {
        Codec<A> a = first.accumulatorCodec();
        Codec<B> b = second.accumulatorCodec();
        return a == null || b == null ? null : new BothCodec<>(a, b);
    }

    @Override
    public @Nullable Codec<R> resultCodec() {
        return resultCodec;
    }

    @Override
    public String toString() {
        return "allOf(" + first + ", " + second + ")";
    }

    private record BothCodec<A, B>(Codec<A> first, Codec<B> second) implements Codec<Both<A, B>> {

        @Override
        public String id() {
            return "(" + first.id() + "," + second.id() + ")";
        }

        @Override
        public byte[] encode(Both<A, B> both) {
            byte[] a = first.encode(both.first);
            byte[] b = second.encode(both.second);
            return ByteBuffer.allocate(Integer.BYTES + a.length + b.length)
                    .putInt(a.length)
                    .put(a)
                    .put(b)
                    .array();
        }

        @Override
        public Both<A, B> decode(byte[] bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
            if (length < 0 || length > in.remaining()) {
                throw new IllegalArgumentException(bytes.length + " bytes are not a value of codec " + id());
            }
            byte[] a = new byte[length];
            in.get(a);
            byte[] b = new byte[in.remaining()];
            in.get(b);
            return new Both<>(first.decode(a), second.decode(b));
        }
    }
}
