package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.windows.Codec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** An event of the jobs that are crashed. */
record CrashEvent(String key, long time, long amount) {

    static final Codec<CrashEvent> CODEC = new Codec<>() {
        @Override
        public String id() {
            return "crash-event";
        }

        @Override
        public byte[] encode(CrashEvent event) {
            return (event.key + ";" + event.time + ";" + event.amount).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public CrashEvent decode(byte[] bytes) {
            String[] parts = new String(bytes, StandardCharsets.UTF_8).split(";", 3);
            return new CrashEvent(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }
    };

    static final EventCodec<CrashEvent> EVENTS = new EventCodec<>() {
        @Override
        public CrashEvent decode(LogRecord record) {
            return CODEC.decode(record.requireValue());
        }

        @Override
        public AppendRecord encode(CrashEvent event) {
            return AppendRecord.of(event.key.getBytes(StandardCharsets.UTF_8), CODEC.encode(event));
        }
    };

    /**
     * So many events of {@code keys} keys, about one a millisecond: one in six late by up to 80 ms, a third without an
     * amount, one in fifty not to be decoded.
     */
    static List<AppendRecord> records(int count, int keys, long seed) {
        Random random = new Random(seed);
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long late = random.nextInt(6) == 0 ? random.nextInt(80) : random.nextInt(8);
            CrashEvent event = new CrashEvent("k" + random.nextInt(keys), i - late, Math.max(0, random.nextInt(6) - 1));
            records.add(
                    random.nextInt(50) == 0
                            ? AppendRecord.of(event.key.getBytes(StandardCharsets.UTF_8), new byte[] {'?'})
                            : EVENTS.encode(event));
        }
        return records;
    }

    /**
     * An event for each of {@code keys} keys within a window that begins at 0, in no order of the keys; then a tenth as many of
     * the next window, every fourth of them late for the first one, but not too late.
     */
    static List<AppendRecord> manyKeys(int keys, long window, long seed) {
        Random random = new Random(seed);
        List<Integer> order = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            order.add(key);
        }
        Collections.shuffle(order, random);
        List<AppendRecord> records = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            records.add(EVENTS.encode(
                    new CrashEvent("k" + order.get(i), window * i / keys, Math.max(0, random.nextInt(6) - 1))));
        }
        for (int i = 0; i < keys / 10; i++) {
            long time = i % 4 == 3 ? random.nextInt((int) window) : window + window * i / (4L * keys / 10) + 10;
            records.add(EVENTS.encode(new CrashEvent("k" + random.nextInt(keys), time, 1 + random.nextInt(5))));
        }
        return records;
    }
}
