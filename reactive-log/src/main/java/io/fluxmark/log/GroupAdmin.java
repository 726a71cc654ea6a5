package io.fluxmark.log;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Who may come into a group when: after its offsets are loaded, and not while they are changed from outside. */
final class GroupAdmin {

    private final GroupCoordinator group;
    private final OffsetCommits commits;
    private final OffsetStore store;
    private final Function<String, Topic> topics;
    private final AtomicBoolean changing = new AtomicBoolean();

    GroupAdmin(GroupCoordinator group, OffsetCommits commits, OffsetStore store, Function<String, Topic> topics) {
        this.group = group;
        this.commits = commits;
        this.store = store;
        this.topics = topics;
    }

    Mono<GroupMember> join(MemberSpec spec) {
        return load().then(Mono.create(sink -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            AtomicReference<@Nullable Member> joined = new AtomicReference<>();
            // Whoever cancels before the member is there leaves no member behind: one of the two sees what the other
            // has done.
            sink.onCancel(() -> {
                cancelled.set(true);
                leaveIfJoined(joined);
            });
            group.tasks().run(() -> {
                try {
                    requireUnchanging();
                    Member member = group.join(spec);
                    joined.set(member);
                    if (cancelled.get()) {
                        leaveIfJoined(joined);
                    } else {
                        group.hop(() -> sink.success(new GroupMember(group, member)));
                    }
                } catch (RuntimeException e) {
                    group.hop(() -> sink.error(e));
                }
            });
        }));
    }

    private void leaveIfJoined(AtomicReference<@Nullable Member> joined) {
        Member member = joined.getAndSet(null);
        if (member != null) {
            group.tasks().run(() -> group.leave(member, () -> {}));
        }
    }

    /** Something asked in a task. */
    <T> Mono<T> later(Supplier<T> question) {
        return load().then(Mono.create(sink -> group.tasks().run(() -> {
            try {
                T answer = question.get();
                group.hop(() -> sink.success(answer));
            } catch (RuntimeException e) {
                group.hop(() -> sink.error(e));
            }
        })));
    }

    Mono<GroupOffsets> reset(GroupReset to, Supplier<List<PartitionId>> which) {
        return changing("reset", () -> Flux.fromIterable(which.get())
                .concatMap(id -> to.resolve(topics.apply(id.topic()).partition(id.partition()), commits.committed(id))
                        .map(offset -> Map.entry(id, offset)))
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .flatMap(offsets -> put(offsets).thenReturn(offsets))
                .map(offsets -> new GroupOffsets(group.name(), group.generation(), new TreeMap<>(offsets))));
    }

    Mono<Void> delete() {
        return changing("deleted", () -> store.remove(group.name()).then(later(() -> {
                    commits.forget();
                    return true;
                })))
                .then();
    }

    List<PartitionId> partitionsOf(String topic) {
        return topics.apply(topic).partitions().stream()
                .map(partition -> new PartitionId(topic, partition.id()))
                .toList();
    }

    /** Reads what the group has committed, once. */
    Mono<Void> load() {
        return Mono.defer(() -> commits.isKnown()
                ? Mono.empty()
                : store.load(group.name())
                        .defaultIfEmpty(GroupOffsets.none(group.name()))
                        .flatMap(offsets -> Mono.create(sink -> group.tasks().run(() -> {
                            if (!commits.isKnown()) {
                                commits.loaded(offsets);
                            }
                            group.hop(sink::success);
                        }))));
    }

    private <T> Mono<T> changing(String wish, Supplier<Mono<T>> change) {
        return Mono.usingWhen(
                later(() -> {
                    List<String> members =
                            group.members().stream().map(Member::id).toList();
                    if (!members.isEmpty()) {
                        throw new GroupActiveException(group.name(), wish, members);
                    }
                    requireUnchanging();
                    changing.set(true);
                    return changing;
                }),
                begun -> change.get(),
                begun -> Mono.fromRunnable(() -> begun.set(false)));
    }

    private void requireUnchanging() {
        if (changing.get()) {
            throw new IllegalStateException(
                    "the offsets of group " + group.name() + " are being changed; try again when that is done");
        }
    }

    private Mono<Void> put(Map<PartitionId, Long> offsets) {
        return Mono.create(sink ->
                group.tasks().run(() -> commits.put(offsets, error -> answer(sink::success, sink::error, error))));
    }

    private void answer(Runnable success, Consumer<Throwable> failure, @Nullable Throwable error) {
        group.hop(() -> {
            if (error == null) {
                success.run();
            } else {
                failure.accept(error);
            }
        });
    }
}
