package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A store whose entries all have one version, and what a crash may leave of its savepoints. Stateless. */
final class SavepointCrash {

    static final int KEYS = 300;

    private SavepointCrash() {}

    /** Every key of rows and state with the same version. */
    static Mono<StoreCommit> write(LaneSession session, long version, int valueBytes) {
        LaneTransaction transaction = session.begin();
        for (long key = 0; key < KEYS; key++) {
            byte[] value = Arrays.copyOf(bytes(version), valueBytes);
            transaction.put(StoreTable.ROWS, bytes(key), value);
            transaction.put(StoreTable.STATE, bytes(key), value);
        }
        return session.submit(transaction);
    }

    /** The one version of all entries. */
    static long version(StateStore store) {
        Set<Long> versions = new HashSet<>(versions(store.read(StoreTable.ROWS, new byte[0], null)));
        versions.addAll(versions(store.readState("job", 0, new byte[0], null)));
        assertThat(versions).as("entries of one commit").hasSize(1);
        return versions.iterator().next();
    }

    private static Set<Long> versions(Flux<StoreEntry> entries) {
        List<StoreEntry> all = await(entries.collectList());
        assertThat(all).hasSize(KEYS);
        Set<Long> versions = new HashSet<>();
        all.forEach(entry -> versions.add(number(entry.value())));
        return versions;
    }

    /**
     * Holds what is in a directory of savepoints after a crash against the rule: a savepoint that has its name is whole, and what
     * is not whole is refused, so that no store comes of it.
     *
     * @param scratch a directory for stores, new each time
     * @return how many whole ones there are
     */
    static int check(Path savepoints, Path scratch) throws IOException {
        int whole = 0;
        List<Savepoint> listed = Savepoints.list(savepoints);
        for (Path place : children(savepoints)) {
            Path target = scratch.resolve(place.getFileName().toString());
            if (place.getFileName().toString().endsWith(Savepoints.UNFINISHED)) {
                assertThatThrownBy(() -> Savepoints.read(place))
                        .isExactlyInstanceOf(StateStoreException.class)
                        .hasMessageContaining(place + " is no complete savepoint")
                        .hasMessageEndingWith("use another savepoint, or take one again");
                continue;
            }
            Savepoint savepoint = Savepoints.read(place);
            assertThat(listed).contains(savepoint);
            Savepoints.restore(savepoint, target).block(Stores.PATIENCE);
            try (StateStore store = Stores.open(target)) {
                assertThat(await(store.info()).commit()).isEqualTo(savepoint.commit());
                version(store);
            }
            whole++;
        }
        assertThat(listed).hasSize(whole);
        return whole;
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(directory)) {
            return names.sorted().toList();
        }
    }

    /** Copies a directory as a killed process would leave it. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }
}
