package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.windows.Codec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An event of one of two topics that are joined, as text: its key, a name that no other has, and its time. */
record JoinTick(String key, String name, long time) {

    static final Codec<JoinTick> CODEC = new Codec<>() {
        @Override
        public String id() {
            return "join tick";
        }

        @Override
        public byte[] encode(JoinTick tick) {
            return tick.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public JoinTick decode(byte[] bytes) {
            String[] parts = new String(bytes, StandardCharsets.UTF_8).split(";", 3);
            return new JoinTick(parts[0], parts[1], Long.parseLong(parts[2]));
        }
    };

    static final EventCodec<JoinTick> EVENTS = new EventCodec<>() {
        @Override
        public JoinTick decode(LogRecord record) {
            return CODEC.decode(record.requireValue());
        }

        @Override
        public AppendRecord encode(JoinTick tick) {
            return AppendRecord.of(tick.key.getBytes(StandardCharsets.UTF_8), CODEC.encode(tick));
        }
    };

    /** What a pair, or what is alone, is called. */
    static String pair(@Nullable JoinTick left, @Nullable JoinTick right) {
        return left + "+" + right;
    }

    /** Events of few keys, out of order, some of them far; null for a record that can't be decoded. */
    static List<@Nullable JoinTick> some(Random random, String side) {
        List<@Nullable JoinTick> ticks = new ArrayList<>();
        int size = random.nextInt(10) == 0 ? 0 : 10 + random.nextInt(70);
        long time = random.nextInt(60);
        for (int i = 0; i < size; i++) {
            time += random.nextInt(8);
            long late = random.nextInt(8) == 0 ? random.nextInt(120) : random.nextInt(12);
            ticks.add(
                    random.nextInt(30) == 0
                            ? null
                            : new JoinTick("k" + random.nextInt(5), side + i, Math.max(0, time - late)));
        }
        return ticks;
    }

    /** A record of it, or one that can't be decoded, of any key. */
    static AppendRecord record(@Nullable JoinTick tick, int number) {
        return tick == null
                ? AppendRecord.of(("k" + number % 5).getBytes(StandardCharsets.UTF_8), new byte[] {'?'})
                : EVENTS.encode(tick);
    }

    @Override
    public String toString() {
        return key + ";" + name + ";" + time;
    }
}
