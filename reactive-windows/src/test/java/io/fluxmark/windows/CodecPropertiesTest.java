package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class CodecPropertiesTest {

    private static final KeyCodec<Object> KEYS = KeyCodec.tagged();

    @Provide
    Arbitrary<Object> keys() {
        Arbitrary<Object> simple = Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(6).asGeneric(),
                Arbitraries.strings()
                        .withChars('\0', '\1', 'a', '\uffff', '\ue000')
                        .ofMaxLength(3)
                        .asGeneric(),
                Arbitraries.of("\ud83d\ude00", "\ud83d\ude00a", "\uff5e", "\0", "\0\0", "")
                        .asGeneric(),
                Arbitraries.longs().asGeneric(),
                Arbitraries.of(Long.MIN_VALUE, -1L, 0L, 1L, 255L, 256L, Long.MAX_VALUE)
                        .asGeneric(),
                Arbitraries.integers().asGeneric(),
                Arbitraries.of(true, false).asGeneric(),
                Arbitraries.create(UUID::randomUUID).asGeneric(),
                Arbitraries.longs()
                        .between(-10_000_000_000L, 10_000_000_000L)
                        .flatMap(s ->
                                Arbitraries.integers().between(0, 999_999_999).map(n -> Instant.ofEpochSecond(s, n)))
                        .asGeneric());
        Arbitrary<Object> lists = simple.list().ofMaxSize(3).asGeneric();
        return Arbitraries.oneOf(simple, lists, lists.list().ofMaxSize(2).asGeneric());
    }

    @Property
    void keysComeBack(@ForAll("keys") Object key) {
        assertThat(KEYS.decode(KEYS.encode(key))).isEqualTo(key);
    }

    @Property(tries = 2_000)
    void bytesAreOrderedAsKeysAre(@ForAll("keys") Object a, @ForAll("keys") Object b) {
        int byBytes = Arrays.compareUnsigned(KEYS.encode(a), KEYS.encode(b));
        assertThat(Integer.signum(KEYS.order().compare(a, b))).isEqualTo(Integer.signum(byBytes));
        assertThat(byBytes == 0).isEqualTo(a.equals(b));
    }

    @Property(tries = 1_000)
    void likeKeysAreOrderedAsTheirClassOrdersThem(@ForAll long a, @ForAll long b, @ForAll int c, @ForAll int d) {
        assertThat(sign(a, b)).isEqualTo(Long.compare(a, b));
        assertThat(sign(c, d)).isEqualTo(Integer.compare(c, d));
        Instant s = Instant.ofEpochSecond(a % 1_000_000_000, Math.floorMod(c, 1_000_000_000));
        Instant t = Instant.ofEpochSecond(b % 1_000_000_000, Math.floorMod(d, 1_000_000_000));
        assertThat(sign(s, t)).isEqualTo(Integer.signum(s.compareTo(t)));
        assertThat(sign(List.of("a", a), List.of("a", b))).isEqualTo(Long.compare(a, b));
        assertThat(sign(List.of("a"), List.of("a", b))).isNegative();
    }

    private static int sign(Object a, Object b) {
        return Integer.signum(Arrays.compareUnsigned(KEYS.encode(a), KEYS.encode(b)));
    }

    @Property
    void foreignBytesAreRefused(@ForAll byte[] bytes) {
        try {
            Object key = KEYS.decode(bytes);
            assertThat(key).isNotNull();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("key"); // anything else thrown is a failure
        }
    }

    @Example
    void aClassWithoutCodecIsNamedWithTheRemedy() {
        assertThatThrownBy(() -> KEYS.encode(1.5f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Float")
                .hasMessageContaining("give keyBy a KeyCodec");
    }

    @Property
    void valuesComeBack(@ForAll long l, @ForAll double d, @ForAll String s, @ForAll long[] array) {
        assertThat(Codec.longs().decode(Codec.longs().encode(l))).isEqualTo(l);
        assertThat(Codec.doubles().decode(Codec.doubles().encode(d))).isEqualTo(d);
        assertThat(Codec.longArrays().decode(Codec.longArrays().encode(array))).isEqualTo(array);
        String sound = s.chars().anyMatch(c -> Character.isSurrogate((char) c)) ? "" : s;
        assertThat(Codec.strings().decode(Codec.strings().encode(sound))).isEqualTo(sound);
    }

    @Property
    void accumulatorsComeBack(@ForAll List<Integer> events) {
        assertComesBack(Aggregations.<Integer>counting(), events);
        assertComesBack(Aggregations.averagingLong(Integer::longValue), events);
        assertComesBack(Aggregations.minLong(Integer::longValue), events);
        assertComesBack(
                Aggregations.allOf(
                        Aggregations.<Integer>counting(),
                        Aggregations.averagingLong(Integer::longValue),
                        (count, mean) -> count + "/" + mean),
                events);
    }

    private static <A, R> void assertComesBack(Aggregation<Integer, A, R> aggregation, List<Integer> events) {
        A accumulator = aggregation.create();
        for (Integer event : events) {
            accumulator = aggregation.add(accumulator, event);
        }
        Codec<A> codec = aggregation.accumulatorCodec();
        A restored = codec.decode(codec.encode(accumulator));
        assertThat(aggregation.result(restored)).isEqualTo(aggregation.result(accumulator));
    }

    @Property
    void bytesOfTheWrongLengthAreRefused(@ForAll byte[] bytes) {
        if (bytes.length != Long.BYTES) {
            assertThatThrownBy(() -> Codec.longs().decode(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bytes.length + " bytes");
        }
        if (bytes.length % Long.BYTES != 0) {
            assertThatThrownBy(() -> Codec.longArrays().decode(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bytes.length + " bytes");
        }
    }
}
