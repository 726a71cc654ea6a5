package io.fluxmark.log;

import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;

/** The records of a member; each subscription begins at what is not finished yet. */
final class FluxMemberRecords extends Flux<ConsumerRecord> implements Scannable {

    private final GroupCoordinator group;
    private final Member member;
    private final int limit;

    private FluxMemberRecords(GroupCoordinator group, Member member, int limit) {
        this.group = group;
        this.member = member;
        this.limit = limit;
    }

    static Flux<ConsumerRecord> create(GroupCoordinator group, Member member, int limit) {
        return onAssembly(new FluxMemberRecords(group, member, limit));
    }

    @Override
    public void subscribe(CoreSubscriber<? super ConsumerRecord> actual) {
        RecordsSubscription subscription = new RecordsSubscription(actual, group, member, limit);
        actual.onSubscribe(subscription);
        group.tasks().run(() -> group.attach(member, subscription));
    }

    @Override
    @SuppressWarnings("rawtypes") // as declared by Scannable
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
}
