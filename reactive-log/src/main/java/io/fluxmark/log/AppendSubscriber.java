package io.fluxmark.log;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Takes records from upstream and gives their results downstream, in order, with requests to the log in between: one drain
 * loop, entered by whoever has something new. A request is made of what has come while the one before was under way, so that
 * they grow as the log is slower; where the log's queue is full, it waits for room.
 *
 * <p>What is held is bounded: in records, whose results downstream has not asked for, by {@link #MOST_RECORDS}; in bytes, not
 * yet stored, by {@link #mostBytes}, beyond which nothing more is requested.
 */
final class AppendSubscriber implements CoreSubscriber<AppendRecord>, Subscription, Scannable {

    /** Records requested from upstream whose results have not been emitted. */
    static final int MOST_RECORDS = 4096;

    private static final AtomicLongFieldUpdater<AppendSubscriber> DEMAND =
            AtomicLongFieldUpdater.newUpdater(AppendSubscriber.class, "demand");

    private static final int MOST_REQUESTS = 4;
    private static final int MOST_IN_REQUEST = 1024;
    private static final long MOST_BYTES_IN_REQUEST = 1 << 20;

    /** How many records are requested while nothing is known of their size. */
    private static final int FIRST_STEP = 16;

    private final CoreSubscriber<? super AppendResult> actual;
    private final Topic topic;
    private final int maxRecordBytes;
    private final int mostInRequest;
    private final long mostBytesInRequest;
    private final long mostBytes;
    private final LogWriterThread writer;
    private final Queue<AppendRecord> arrived =
            Queues.<AppendRecord>get(MOST_RECORDS).get();
    private final AtomicInteger wip = new AtomicInteger();

    private volatile long demand;
    private volatile boolean cancelled;
    private volatile boolean done;

    /** Written before {@link #done}. */
    private @Nullable Throwable upstreamError;

    private @Nullable Subscription upstream;

    /** All below is confined to the drain loop. */
    private final ArrayDeque<Sent> sent = new ArrayDeque<>();

    private AppendDraft draft;

    /** Whether the next record does not go into it. */
    private boolean full;

    /** What waits for room in the log's queue. */
    private @Nullable Sent refused;

    private @Nullable Throwable failure;
    private boolean terminated;
    private long requested;
    private long taken;
    private long emitted;
    private long bytesTaken;
    private long bytesStored;

    AppendSubscriber(CoreSubscriber<? super AppendResult> actual, Topic topic, LogSpec spec, LogWriterThread writer) {
        this.actual = actual;
        this.topic = topic;
        this.maxRecordBytes = spec.maxRecordBytes();
        this.mostInRequest = Math.min(MOST_IN_REQUEST, spec.queueRecords());
        this.mostBytesInRequest = Math.min(MOST_BYTES_IN_REQUEST, spec.queueBytes());
        this.mostBytes = Math.max(1, spec.queueBytes() / 2);
        this.writer = writer;
        this.draft = newDraft();
    }

    private AppendDraft newDraft() {
        return new AppendDraft(topic, maxRecordBytes, mostInRequest, mostBytesInRequest);
    }

    /** One request to the log, and what has become of it. */
    private final class Sent implements AppendRequest.Answer {

        final AppendRequest request;
        private volatile boolean isAppended;
        private volatile @Nullable Throwable error;
        private boolean isCounted;
        private int next;

        Sent(AppendDraft records) {
            this.request = records.toRequest(this);
        }

        boolean isAnswered() {
            return isAppended || error != null;
        }

        @Override
        public @Nullable Runnable appended() {
            isAppended = true;
            return enter();
        }

        @Override
        public @Nullable Runnable refused(Throwable why) {
            error = why;
            return enter();
        }
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (Operators.validate(upstream, subscription)) {
            upstream = subscription;
            actual.onSubscribe(this);
            drain();
        }
    }

    @Override
    public void onNext(AppendRecord record) {
        if (done || cancelled) {
            Operators.onNextDropped(record, actual.currentContext());
        } else if (arrived.offer(record)) {
            drain();
        } else {
            onError(Operators.onOperatorError(
                    upstream,
                    Exceptions.failWithOverflow("the upstream sent more than the records requested"),
                    record,
                    actual.currentContext()));
        }
    }

    @Override
    public void onError(Throwable error) {
        if (done) {
            Operators.onErrorDropped(error, actual.currentContext());
            return;
        }
        upstreamError = error;
        done = true;
        drain();
    }

    @Override
    public void onComplete() {
        done = true;
        drain();
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            Operators.addCap(DEMAND, this, n);
            drain();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        Subscription s = upstream;
        if (s != null) {
            s.cancel();
        }
        drain();
    }

    private void drain() {
        if (wip.getAndIncrement() == 0) {
            drainLoop();
        }
    }

    /** Enters the drain loop for somebody else to run, unless somebody is in it already: then answers null. */
    private @Nullable Runnable enter() {
        return wip.getAndIncrement() == 0 ? this::drainLoop : null;
    }

    private void drainLoop() {
        int missed = 1;
        do {
            drainOnce();
            missed = wip.addAndGet(-missed);
        } while (missed != 0);
    }

    private void drainOnce() {
        if (cancelled || terminated) {
            terminated = true;
            discard();
            return;
        }
        boolean ended = done; // before what has arrived: an end seen without records is the end
        emit();
        take();
        send(ended);
        boolean holdsNothing = refused == null && draft.isEmpty() && sent.isEmpty();
        if (holdsNothing && failure != null) {
            end(failure);
        } else if (holdsNothing && ended && arrived.isEmpty()) {
            end(upstreamError);
        } else {
            requestMore();
        }
    }

    /** Checks what has come; a record that can't be appended ends the stream behind those before it. */
    private void take() {
        full = false;
        for (AppendRecord record = arrived.peek(); record != null && failure == null; record = arrived.peek()) {
            long before = draft.bytes();
            try {
                if (!draft.add(record, (int) Math.min(Integer.MAX_VALUE, taken))) {
                    full = true;
                    return;
                }
            } catch (RuntimeException e) {
                fail(e);
                return;
            }
            arrived.poll();
            taken++;
            bytesTaken += draft.bytes() - before;
        }
    }

    private void fail(Throwable why) {
        if (failure == null) {
            failure = why;
            done = true;
            Subscription s = upstream;
            if (s != null) {
                s.cancel();
            }
        }
    }

    private void send(boolean ended) {
        Sent waiting = refused;
        if (waiting != null) {
            refused = null;
            offer(waiting);
        }
        while (refused == null
                && !draft.isEmpty()
                && sent.size() < MOST_REQUESTS
                && (sent.isEmpty() || full || ended)) {
            Sent next = new Sent(draft);
            draft = newDraft();
            offer(next);
            take();
        }
    }

    private void offer(Sent next) {
        try {
            if (writer.offer(next.request, this::drain) == null) {
                sent.add(next);
            } else {
                refused = next;
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void emit() {
        long open = demand;
        long now = 0;
        for (Sent first = sent.peek(); first != null && first.isAnswered(); first = sent.peek()) {
            Throwable why = first.error;
            if (why != null) {
                sent.clear();
                draft = newDraft();
                refused = null;
                fail(why);
                break;
            }
            if (!first.isCounted) {
                first.isCounted = true;
                bytesStored += first.request.bytes();
            }
            while (first.next < first.request.size() && now < open && !cancelled) {
                now++;
                actual.onNext(first.request.result(first.next++));
            }
            if (first.next < first.request.size()) {
                break;
            }
            sent.remove();
        }
        emitted += now;
        if (now > 0 && open != Long.MAX_VALUE) {
            Operators.produced(DEMAND, this, now);
        }
    }

    private void requestMore() {
        Subscription s = upstream;
        long unseen = requested - taken;
        long room = mostBytes - (bytesTaken - bytesStored);
        if (s == null || done || unseen > 0 || room <= 0) {
            return;
        }
        long step = taken == 0
                ? FIRST_STEP
                : Math.max(1, Math.min(room * taken / Math.max(1, bytesTaken), MOST_IN_REQUEST));
        long n = Math.min(step, MOST_RECORDS - (requested - emitted));
        if (n > 0) {
            requested += n;
            s.request(n);
        }
    }

    private void end(@Nullable Throwable why) {
        terminated = true;
        if (why == null) {
            actual.onComplete();
        } else {
            actual.onError(why);
        }
    }

    private void discard() {
        Operators.onDiscardQueueWithClear(arrived, actual.currentContext(), null);
        draft = newDraft();
        refused = null;
        sent.clear();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.PARENT) {
            return upstream;
        }
        if (key == Attr.ACTUAL) {
            return actual;
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
            return demand;
        }
        if (key == Attr.BUFFERED) {
            return arrived.size();
        }
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }
}
