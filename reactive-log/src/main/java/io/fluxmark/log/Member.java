package io.fluxmark.log;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** A member as its group knows it. Used in the group's tasks only, but for what it publishes. */
final class Member {

    private final String id;
    private final MemberSpec spec;
    private final Sinks.Many<Assignment> assignments = Sinks.many().replay().latest();
    private final SortedMap<PartitionId, Lease> leases = new TreeMap<>();
    private final List<Revocation> revocations = new ArrayList<>();
    private final List<Runnable> whenGone = new ArrayList<>();
    private boolean present = true;
    private boolean gone;
    private @Nullable RuntimeException failure;
    private @Nullable Disposable wait;
    private @Nullable RecordsSubscription records;
    private volatile Assignment current = new Assignment(0, new TreeSet<>());
    private boolean told;

    Member(String id, MemberSpec spec) {
        this.id = id;
        this.spec = spec;
    }

    String id() {
        return id;
    }

    MemberSpec spec() {
        return spec;
    }

    /** False from when it begins to leave; a static one is waited for then. */
    boolean isPresent() {
        return present;
    }

    /** Whether it takes no more part. */
    boolean isGone() {
        return gone;
    }

    @Nullable
    RuntimeException failure() {
        return failure;
    }

    SortedMap<PartitionId, Lease> leases() {
        return leases;
    }

    List<Revocation> revocations() {
        return revocations;
    }

    @Nullable
    RecordsSubscription records() {
        return records;
    }

    void records(@Nullable RecordsSubscription value) {
        records = value;
    }

    Assignment current() {
        return current;
    }

    /** The newest assignment and those to come; who is slow may miss some between. */
    Flux<Assignment> assignments(Scheduler on) {
        return assignments.asFlux().onBackpressureLatest().publishOn(on, 1);
    }

    /** Publishes what it holds, if that is news; {@code generation} is asked for only then. */
    void publish(long generation) {
        told = true;
        current = new Assignment(generation, held());
        assignments.tryEmitNext(current);
    }

    /** Whether it has to be told something. */
    boolean isNews() {
        return !gone && (!told || !held().equals(current.partitions()));
    }

    private SortedSet<PartitionId> held() {
        return leases.values().stream()
                .filter(Lease::isActive)
                .map(Lease::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    void leave(Runnable done) {
        present = false;
        whenGone.add(done);
    }

    /** It is waited for until then. */
    void waitFor(Disposable until) {
        wait = until;
    }

    void stopWaiting() {
        if (wait != null) {
            wait.dispose();
        }
    }

    /** Ends it; the subscribers' signals are in the results. */
    List<Runnable> end(@Nullable RuntimeException why) {
        if (gone) {
            return List.of();
        }
        gone = true;
        present = false;
        failure = why;
        revocations.forEach(Revocation::cancel);
        revocations.clear();
        current = new Assignment(current.generation(), new TreeSet<>());
        if (why == null) {
            assignments.tryEmitComplete();
        } else {
            assignments.tryEmitError(why);
        }
        RecordsSubscription subscription = records;
        records = null;
        if (subscription != null) {
            subscription.end(why);
        }
        List<Runnable> signals = List.copyOf(whenGone);
        whenGone.clear();
        return signals;
    }
}
