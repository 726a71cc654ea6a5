package io.fluxmark.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The committed offsets of a group: one write at a time, in which all take part that came during the one before, each as a whole.
 * Used in the group's tasks, but for {@link #committed} and {@link #floor}, which any thread may ask.
 */
final class OffsetCommits {

    private static final int MAX_WAITING = 100_000;

    private final String group;
    private final OffsetStore store;
    private final SerialTasks tasks;
    /** What is durable; as many as there are partitions. */
    private final Map<PartitionId, Long> committed = new ConcurrentHashMap<>();

    private SortedMap<PartitionId, Long> pending = new TreeMap<>();
    private SortedMap<PartitionId, Long> beingWritten = new TreeMap<>();
    private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();
    private boolean writing;
    private long generation;
    private volatile boolean known;

    OffsetCommits(String group, OffsetStore store, SerialTasks tasks) {
        this.group = group;
        this.store = store;
        this.tasks = tasks;
    }

    /** Takes what the store has; from now on it is known what the group needs. */
    void loaded(GroupOffsets offsets) {
        committed.putAll(offsets.offsets());
        generation = Math.max(generation, offsets.generation());
        known = true;
    }

    boolean isKnown() {
        return known;
    }

    long generation() {
        return generation;
    }

    @Nullable
    Long committed(PartitionId partition) {
        return committed.get(partition);
    }

    SortedMap<PartitionId, Long> all() {
        return new TreeMap<>(committed);
    }

    /** The lowest offset of a partition that the group needs. */
    long floor(PartitionId partition) {
        return known ? committed.getOrDefault(partition, RetentionFloor.NOTHING) : 0;
    }

    void forget() {
        committed.clear();
    }

    /** Commits offsets, of which those that would go back are left out; {@code done} is told how it went, in a task. */
    void commit(Map<PartitionId, Long> offsets, long inGeneration, Consumer<@Nullable Throwable> done) {
        if (waiting.size() >= MAX_WAITING) {
            done.accept(new IllegalStateException(MAX_WAITING + " commits of group " + group
                    + " wait for the offset store; wait for one commit before the next"));
            return;
        }
        offsets.forEach((partition, offset) -> {
            long before = Math.max(committed.getOrDefault(partition, -1L), beingWritten.getOrDefault(partition, -1L));
            if (offset > before) {
                pending.merge(partition, offset, Math::max);
            }
        });
        generation = Math.max(generation, inGeneration);
        waiting.add(done);
        writeNext();
    }

    /** The same for offsets that may go back; nobody may be reading there. */
    void put(Map<PartitionId, Long> offsets, Consumer<@Nullable Throwable> done) {
        pending.putAll(offsets);
        waiting.add(done);
        writeNext();
    }

    private void writeNext() {
        if (writing || waiting.isEmpty()) {
            return;
        }
        SortedMap<PartitionId, Long> batch = pending;
        List<Consumer<@Nullable Throwable>> told = waiting;
        pending = new TreeMap<>();
        waiting = new ArrayList<>();
        if (batch.isEmpty()) {
            told.forEach(each -> each.accept(null));
            return;
        }
        writing = true;
        beingWritten = batch;
        GroupOffsets changes = new GroupOffsets(group, generation, batch);
        Mono.defer(() -> store.commit(changes))
                .subscribe(
                        null,
                        error -> tasks.run(() -> written(Map.of(), told, error)),
                        () -> tasks.run(() -> written(batch, told, null)));
    }

    private void written(
            Map<PartitionId, Long> durable, List<Consumer<@Nullable Throwable>> told, @Nullable Throwable error) {
        writing = false;
        beingWritten = new TreeMap<>();
        committed.putAll(durable);
        told.forEach(each -> each.accept(error));
        writeNext();
    }
}
