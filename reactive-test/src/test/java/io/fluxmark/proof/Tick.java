package io.fluxmark.proof;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.windows.Codec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An event of the proofs. Some can't be decoded: those have no time.
 *
 * @param number its place in the input, from 0, and its sequence in the log
 */
record Tick(long number, String key, long time, long amount) {

    static final Codec<Tick> CODEC = new Codec<>() {
        @Override
        public String id() {
            return "tick";
        }

        @Override
        public byte[] encode(Tick tick) {
            return tick.text().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Tick decode(byte[] bytes) {
            return parse(new String(bytes, StandardCharsets.UTF_8));
        }
    };

    static final String PRODUCER = "feeder";
    private static final long BROKEN = Long.MIN_VALUE;

    /**
     * The first {@code count} ticks of an endless stream that depends on the seed only: a tick a millisecond, one in ten
     * late by up to 400 ms, one in a hundred broken, a third of the amounts 0.
     */
    static List<Tick> stream(int count, long seed) {
        Random random = new Random(seed);
        List<Tick> ticks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long late = random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(20);
            long time = random.nextInt(100) == 0 ? BROKEN : i - late;
            ticks.add(new Tick(i, "k" + random.nextInt(40), time, Math.max(0, random.nextInt(6) - 1)));
        }
        return ticks;
    }

    /** The number of a record, broken or not. */
    static long number(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        return Long.parseLong(text.substring(0, text.indexOf(';')));
    }

    static Tick parse(String text) {
        String[] parts = text.split(";", -1);
        return new Tick(Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    private String text() {
        return number + ";" + key + ";" + (time == BROKEN ? "broken" : time + ";" + amount);
    }

    AppendRecord record() {
        return AppendRecord.of(keyBytes(), CODEC.encode(this)).withSequence(PRODUCER, number);
    }

    byte[] keyBytes() {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
