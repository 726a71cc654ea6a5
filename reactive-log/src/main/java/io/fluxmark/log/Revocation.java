package io.fluxmark.log;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Takes partitions from a member: nothing more is handed out, what was prefetched is dropped, what is in flight is finished or
 * discarded, the offsets are committed, and only then are the partitions free. Used in the group's tasks only.
 */
final class Revocation {

    private static final Logger LOG = Loggers.getLogger(Revocation.class);

    private final GroupCoordinator group;
    private final Member member;
    private final List<Lease> leases;
    private final Disposable.Composite running = Disposables.composite();
    private int pending;
    private boolean over;

    Revocation(GroupCoordinator group, Member member, List<Lease> leases) {
        this.group = group;
        this.member = member;
        this.leases = leases;
    }

    void start() {
        GroupSpec spec = group.spec();
        pending = spec.discardsInFlight() ? 1 : leases.size() + 1;
        Set<PartitionId> partitions = new TreeSet<>();
        for (Lease lease : leases) {
            partitions.add(lease.id());
            lease.revoke(
                    spec.discardsInFlight() ? () -> {} : () -> group.tasks().run(this::step));
            RecordsSubscription records = member.records();
            if (records != null) {
                records.remove(lease);
            }
        }
        running.add(group.clock()
                .schedule(
                        () -> group.tasks().run(this::expire),
                        spec.revokeTimeout().toNanos(),
                        TimeUnit.NANOSECONDS));
        running.add(Mono.defer(() ->
                        Flux.from(member.spec().onRevoke().apply(partitions)).then())
                .subscribeOn(spec.scheduler())
                .onErrorResume(e -> {
                    LOG.warn("member " + member.id() + " failed to give up " + partitions + "; it is taken as done", e);
                    return Mono.empty();
                })
                .subscribe(null, null, () -> group.tasks().run(this::step)));
    }

    /** Somebody else ends the leases. */
    void cancel() {
        over = true;
        running.dispose();
    }

    private void step() {
        if (!over && --pending == 0) {
            cancel();
            member.revocations().remove(this);
            group.release(leases);
        }
    }

    private void expire() {
        if (!over) {
            group.fence(member);
        }
    }
}
