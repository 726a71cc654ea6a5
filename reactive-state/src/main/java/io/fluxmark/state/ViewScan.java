package io.fluxmark.state;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * The entries of a key range as of one commit. Reads a page at a time on the requesting thread,
 * and only under demand; between pages it remembers the last key and seeks again, so no store cursor waits for a slow
 * subscriber. The snapshot is held until completion, error or cancellation.
 */
final class ViewScan extends Flux<StoreEntry> implements Scannable {

    static final int PAGE = 256;

    /**
     * What to read, in stored keys.
     *
     * @param strip bytes of internal prefix to take off each key
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Range(StoreTable table, byte[] from, byte @Nullable [] to, int strip) {

        /** The stored key behind an entry's. */
        byte[] after(StoreEntry entry) {
            return KeyBytes.key()
                    .addRaw(Arrays.copyOf(from, strip))
                    .addRaw(KeyBytes.successor(entry.key()))
                    .toBytes();
        }

        static Range of(StoreTable table, byte[] from, byte @Nullable [] to) {
            if (table == StoreTable.STATE) {
                throw new IllegalArgumentException(
                        "STATE has no keys that are shared by lanes; use readState with a job and a lane");
            }
            return new Range(table, from.clone(), to == null ? null : to.clone(), 0);
        }

        static Range ofLane(int lane, byte[] from, byte @Nullable [] to) {
            byte[] prefix = KeyBytes.key().add(lane).toBytes();
            byte[] low = KeyBytes.key().add(lane).addRaw(from).toBytes();
            byte[] high = to == null
                    ? KeyBytes.endOfPrefix(prefix)
                    : KeyBytes.key().add(lane).addRaw(to).toBytes();
            return new Range(StoreTable.STATE, low, high, prefix.length);
        }
    }

    private final Supplier<StoreSnapshot> source;
    private final Function<StoreSnapshot, @Nullable Range> range;

    private ViewScan(Supplier<StoreSnapshot> source, Function<StoreSnapshot, @Nullable Range> range) {
        this.source = source;
        this.range = range;
    }

    /**
     * Both functions are asked at each subscription.
     *
     * @param source what to read, held for the subscription and released by it
     * @param range of it; if there is none the result is empty
     */
    static Flux<StoreEntry> of(Supplier<StoreSnapshot> source, Function<StoreSnapshot, @Nullable Range> range) {
        return onAssembly(new ViewScan(source, range));
    }

    @Override
    public void subscribe(CoreSubscriber<? super StoreEntry> actual) {
        StoreSnapshot snapshot;
        try {
            snapshot = source.get();
        } catch (StateStoreException e) {
            Operators.error(actual, e);
            return;
        }
        Range wanted = range.apply(snapshot);
        if (wanted == null) {
            snapshot.release();
            Operators.complete(actual);
            return;
        }
        actual.onSubscribe(new Scan(this, actual, snapshot, wanted));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.PREFETCH ? PAGE : key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
    }

    private static final class Scan implements Subscription, Scannable {

        private static final AtomicLongFieldUpdater<Scan> REQUESTED =
                AtomicLongFieldUpdater.newUpdater(Scan.class, "requested");

        private final ViewScan parent;
        private final CoreSubscriber<? super StoreEntry> actual;
        private final StoreSnapshot snapshot;
        private final Range range;

        private volatile long requested;
        private final AtomicInteger wip = new AtomicInteger();
        private volatile boolean cancelled;
        // The fields below belong to whoever owns wip.
        private Iterator<StoreEntry> page = List.<StoreEntry>of().iterator();
        private byte[] next;
        private boolean lastPage;
        private boolean done;

        Scan(ViewScan parent, CoreSubscriber<? super StoreEntry> actual, StoreSnapshot snapshot, Range range) {
            this.parent = parent;
            this.range = range;
            this.actual = actual;
            this.snapshot = snapshot;
            next = range.from();
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n)) {
                Operators.addCap(REQUESTED, this, n);
                drain();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            drain();
        }

        private void drain() {
            if (wip.getAndIncrement() != 0) {
                return;
            }
            int missed = 1;
            do {
                emit();
                missed = wip.addAndGet(-missed);
            } while (missed != 0);
        }

        private void emit() {
            long demand = requested;
            long emitted = 0;
            while (!done) {
                if (cancelled) {
                    finish();
                    Operators.onDiscardMultiple(page, true, actual.currentContext());
                } else if (page.hasNext()) {
                    if (emitted == demand) {
                        break;
                    }
                    emitted++;
                    actual.onNext(page.next());
                } else if (lastPage) {
                    finish();
                    actual.onComplete();
                } else if (emitted < demand) {
                    load();
                } else {
                    break;
                }
            }
            if (emitted > 0) {
                Operators.produced(REQUESTED, this, emitted);
            }
        }

        private void load() {
            try {
                List<StoreEntry> entries = snapshot.page(range, next, PAGE);
                lastPage = entries.size() < PAGE;
                if (!lastPage) {
                    next = range.after(entries.get(PAGE - 1));
                }
                page = entries.iterator();
            } catch (StateStoreException e) {
                finish();
                actual.onError(e);
            }
        }

        private void finish() {
            done = true;
            snapshot.release();
        }

        @Override
        @SuppressWarnings("rawtypes")
        public @Nullable Object scanUnsafe(Attr key) {
            if (key == Attr.ACTUAL) {
                return actual;
            } else if (key == Attr.PARENT) {
                return parent;
            } else if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
                return requested;
            } else if (key == Attr.CANCELLED) {
                return cancelled;
            } else if (key == Attr.TERMINATED) {
                return done;
            }
            return key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
        }
    }
}
