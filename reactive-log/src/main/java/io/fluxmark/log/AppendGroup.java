package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The appends that share one fsync. First every request is placed as a whole or refused as a whole; then each partition is
 * written once and forced once; then readers may see it; then everybody is answered. Confined to the writer thread.
 */
final class AppendGroup {

    /** What is written together at least where nobody waits for an fsync: a batch of the usual size. */
    private static final long ENOUGH_BYTES = 64 << 10;

    private final WriteBuffer buffer;
    private final boolean syncs;
    private final Map<PartitionLog, PartitionStage> stages = new LinkedHashMap<>();
    private final Map<PartitionLog, PartitionFailedException> failures = new HashMap<>();
    private final List<AppendRequest> appends = new ArrayList<>();
    private final List<ForceRequest> forces = new ArrayList<>();
    private long bytes;

    AppendGroup(WriteBuffer buffer, boolean syncs) {
        this.buffer = buffer;
        this.syncs = syncs;
    }

    /**
     * Adds a command, or answers false and does not: a control command has no part in a group, and one that is large enough is
     * written and answered first, so that those answered go on while the next ones are written.
     */
    boolean add(LogCommand command) {
        if (!syncs && bytes >= ENOUGH_BYTES) {
            return false;
        }
        if (command instanceof AppendRequest append) {
            add(append);
        } else if (command instanceof ForceRequest force) {
            forces.add(force);
        }
        return !(command instanceof LogCommand.Control);
    }

    private void add(AppendRequest request) {
        Set<PartitionStage> touched = new HashSet<>();
        PartitionStage stage = null;
        try {
            for (int i = 0; i < request.size(); i++) {
                PartitionLog target = request.target(i);
                if (stage == null || stage.partition() != target) {
                    stage = stageFor(target);
                    if (touched.add(stage)) {
                        stage.mark();
                    }
                }
                stage.place(request, i);
            }
            appends.add(request);
            bytes += request.bytes();
        } catch (IOException | RuntimeException e) {
            touched.forEach(PartitionStage::takeBackToMark);
            request.refuse(
                    e instanceof IOException io
                            ? new UncheckedIOException("cannot look up an earlier append: " + io.getMessage(), io)
                            : (RuntimeException) e);
        }
    }

    /** Writes, forces and publishes what was added. */
    void write() {
        Set<PartitionLog> touched = new HashSet<>(stages.keySet());
        for (PartitionStage stage : stages.values()) {
            write(stage);
        }
        for (ForceRequest force : forces) {
            PartitionLog partition = force.partition();
            if (force.endOffset() <= partition.writtenEnd() && !partition.view().isClosed()) {
                touched.add(partition);
                force(partition);
            }
        }
        for (PartitionLog partition : touched) {
            partition.publish();
        }
        stages.values().forEach(PartitionStage::noteStored);
        if (!touched.isEmpty()) {
            List<PartitionLog> moved = List.copyOf(touched);
            Completions.run(() -> moved.forEach(partition -> partition.view().wakeListeners()));
        }
    }

    /** Answers it. */
    void answer() {
        answerAppends();
        forces.forEach(this::answer);
        stages.keySet().forEach(PartitionLog::keepProducersIfRolled);
    }

    private PartitionStage stageFor(PartitionLog partition) {
        if (partition.view().isClosed()) {
            throw partition.view().closedException();
        }
        if (partition.failure() != null) {
            throw partition.failure();
        }
        return stages.computeIfAbsent(partition, PartitionStage::new);
    }

    private void write(PartitionStage stage) {
        PartitionLog partition = stage.partition();
        PartitionFailedException failure = partition.write(stage.records(), buffer);
        if (failure != null) {
            failures.put(partition, failure);
        }
        if (syncs) {
            force(partition);
        }
    }

    private void force(PartitionLog partition) {
        if (!partition.force() && partition.failure() != null) {
            failures.put(partition, partition.failure());
        }
    }

    private void answerAppends() {
        List<Runnable> signals = new ArrayList<>(appends.size());
        for (AppendRequest request : appends) {
            RuntimeException failure = failureOf(request);
            Runnable signal = null;
            if (failure == null) {
                signal = request.complete();
            } else {
                request.refuse(failure);
            }
            if (signal != null) {
                signals.add(signal);
            }
        }
        Completions.runAll(signals);
    }

    private @Nullable RuntimeException failureOf(AppendRequest request) {
        for (int i = 0; i < request.size(); i++) {
            PartitionLog partition = request.target(i);
            PartitionFailedException failure = failures.get(partition);
            // An earlier record of the same group may stand although a later one failed.
            if (failure != null && request.offset(i) >= partition.view().tail().offset()) {
                return failure;
            }
        }
        return null;
    }

    private void answer(ForceRequest force) {
        PartitionView view = force.partition().view();
        if (force.endOffset() <= view.durableEnd()) {
            force.complete();
            return;
        }
        if (view.isClosed()) {
            force.refuse(view.closedException());
            return;
        }
        PartitionFailedException failure = force.partition().failure();
        force.refuse(
                failure != null && force.endOffset() <= force.partition().writtenEnd()
                        ? failure
                        : new OffsetOutOfRangeException(
                                view.name(),
                                force.endOffset(),
                                view.segments().beginOffset(),
                                view.tail().offset()));
    }
}
