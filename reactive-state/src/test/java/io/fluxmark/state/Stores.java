package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Short hand for tests. */
final class Stores {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final boolean THOROUGH = System.getProperty("fluxmark.tier", "small").equals("thorough");

    private Stores() {}

    /** Everything happens within the calls. */
    static StoreSpec synchronous() {
        return StoreSpec.defaults().executor(new HeldExecutor()).scheduler(Schedulers.immediate());
    }

    static StateStore open(Path directory) {
        return open(directory, StoreSpec.defaults());
    }

    static StateStore open(Path directory, StoreSpec spec) {
        return await(StateStore.open(directory, spec));
    }

    static LaneSession lane(StateStore store, int lane) {
        return await(store.openLane("job", lane));
    }

    static <T> T await(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(PATIENCE));
    }

    static StoreCommit put(LaneSession session, StoreTable table, String key, String value) {
        LaneTransaction transaction = session.begin();
        transaction.put(table, bytes(key), bytes(value));
        return await(session.submit(transaction));
    }

    static List<StoreEntry> rows(StateStore store) {
        return await(store.read(StoreTable.ROWS, new byte[0], null).collectList());
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
