package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The groups of a log, and what they need of it: also those without members, since the log was opened. Thread-safe. */
final class ConsumerGroups implements RetentionFloor {

    private static final Logger LOG = Loggers.getLogger(ConsumerGroups.class);

    private final LogSpec spec;
    private final Path directory;
    private final Function<String, Topic> topics;
    private final FileOffsetStore files;
    private final Map<String, Opened> groups = new ConcurrentHashMap<>();

    ConsumerGroups(LogSpec spec, Path directory, Function<String, Topic> topics) {
        this.spec = spec;
        this.directory = directory;
        this.topics = topics;
        this.files = new FileOffsetStore(spec.storage(), directory, spec.readScheduler());
    }

    /** Takes up the groups that have a file. Of one that is damaged nobody knows what it needs: nothing is deleted then. */
    void open() {
        for (String name : files.groupsNow()) {
            Opened opened = create(name, GroupSpec.defaults());
            try {
                GroupOffsets offsets = files.loadNow(name);
                if (offsets != null) {
                    opened.group.commits().loaded(offsets);
                }
            } catch (IOException | RuntimeException e) {
                LOG.error(
                        "nothing is deleted from " + directory + " while it is not known what group " + name + " needs",
                        e);
            }
            groups.put(name, opened);
        }
    }

    ConsumerGroup group(String name, @Nullable GroupSpec wanted) {
        if (!LogLayout.isTopic(name)) {
            throw new IllegalArgumentException("group name '" + name
                    + "' must be 1 to 200 of A-Z, a-z, 0-9, '.', '_', '-', and neither '.' nor '..'");
        }
        return groups.compute(name, (same, opened) -> {
                    if (opened == null) {
                        return create(name, wanted == null ? GroupSpec.defaults() : wanted)
                                .byRequest();
                    }
                    if (wanted == null || opened.spec() == wanted) {
                        return opened.byRequest();
                    }
                    if (opened.asked) {
                        throw new IllegalStateException(
                                "group " + name + " is in use with another GroupSpec; give the same object, or none");
                    }
                    Opened again = create(name, wanted).byRequest();
                    OffsetCommits known = opened.group.commits();
                    if (wanted.offsetStore() == null && known.isKnown()) {
                        again.group.commits().loaded(new GroupOffsets(name, known.generation(), known.all()));
                    }
                    return again;
                })
                .group;
    }

    /** All groups that have members or offsets, by name. */
    Flux<GroupDescription> describe() {
        return Flux.defer(() -> Flux.fromIterable(new TreeMap<>(groups).values()))
                .concatMap(opened -> opened.group.describe())
                .filter(group ->
                        !group.members().isEmpty() || !group.partitions().isEmpty());
    }

    @Override
    public long lowestNeeded(String topic, int partition) {
        PartitionId id = new PartitionId(topic, partition);
        long lowest = NOTHING;
        for (Opened opened : groups.values()) {
            lowest = Math.min(lowest, opened.group.commits().floor(id));
        }
        return lowest;
    }

    /**
     * Ends all members. What they acknowledged is committed first, as far as offsets are in files; other stores are handed it, and not
     * waited for.
     */
    void close() {
        LogClosedException why = new LogClosedException(directory.toString());
        for (Opened opened : List.copyOf(groups.values())) {
            GroupCoordinator coordinator = opened.group.coordinator();
            commitLast(opened.spec(), coordinator);
            coordinator.tasks().run(() -> coordinator.close(why));
        }
        files.close();
    }

    private void commitLast(GroupSpec of, GroupCoordinator coordinator) {
        GroupOffsets last = coordinator.lastOffsets();
        OffsetStore own = of.offsetStore();
        if (last.offsets().isEmpty()) {
            return;
        }
        if (own != null) {
            own.commit(last)
                    .subscribe(
                            null,
                            e -> LOG.warn(
                                    "group " + coordinator.name() + " could not commit when the log was closed", e));
            return;
        }
        try {
            files.commitNow(last);
        } catch (IOException | RuntimeException e) {
            LOG.warn("group " + coordinator.name() + " could not commit when the log was closed", e);
        }
    }

    private Opened create(String name, GroupSpec of) {
        SerialTasks tasks = new SerialTasks();
        OffsetStore own = of.offsetStore();
        OffsetStore store = own == null ? files : own;
        OffsetCommits commits = new OffsetCommits(name, store, tasks);
        GroupCoordinator coordinator = new GroupCoordinator(name, of, spec.clock(), topics, commits, tasks);
        GroupAdmin admin = new GroupAdmin(coordinator, commits, store, topics);
        return new Opened(new ConsumerGroup(coordinator, commits, admin), of, false);
    }

    /**
     * A group.
     *
     * @param asked whether somebody has asked for it: then its spec stays
     */
    private record Opened(ConsumerGroup group, GroupSpec spec, boolean asked) {
        Opened byRequest() {
            return asked ? this : new Opened(group, spec, true);
        }
    }
}
