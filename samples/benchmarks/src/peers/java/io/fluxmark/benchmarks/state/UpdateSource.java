package io.fluxmark.benchmarks.state;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import reactor.core.scheduler.Schedulers;

/**
 * The keys to update, part by part, in the order Fluxmark's side has them; behind each part {@link #END_OF_PART}, behind
 * all {@link #END}. Then it stays until it is cancelled, so that checkpoints go on.
 */
// A source function is deprecated in favour of sources with enumerators, splits and readers, which this has no use for.
@SuppressWarnings("deprecation")
final class UpdateSource implements SourceFunction<Long> {

    static final long END_OF_PART = -1;
    static final long END = -2;

    private static final long serialVersionUID = 1;
    private static final int LOOK_EVERY = 256;
    private static final long IDLE_MILLIS = 10;

    private final long keys;
    private final Part[] parts;
    private volatile boolean running = true;

    /** Until there have been enough updates, or time is over. */
    record Part(KeyChoice choice, long updates, long nanos) implements Serializable {
        private static final long serialVersionUID = 1;
    }

    UpdateSource(long keys, Part... parts) {
        this.keys = keys;
        this.parts = parts;
    }

    @Override
    public void run(SourceContext<Long> context) throws Exception {
        for (Part part : parts) {
            run(part, context);
            emit(context, END_OF_PART);
        }
        emit(context, END);
        while (running) {
            synchronized (context.getCheckpointLock()) {
                context.getCheckpointLock().wait(IDLE_MILLIS);
            }
        }
    }

    private void run(Part part, SourceContext<Long> context) {
        SplittableRandom random = new SplittableRandom(StateBench.SEED);
        long began = now();
        long done = 0;
        while (running && done < part.updates() && now() - began < part.nanos()) {
            synchronized (context.getCheckpointLock()) {
                for (int i = 0; i < LOOK_EVERY && done < part.updates(); i++) {
                    context.collect(part.choice().key(done++, keys, random));
                }
            }
        }
    }

    private static void emit(SourceContext<Long> context, long mark) {
        synchronized (context.getCheckpointLock()) {
            context.collect(mark);
        }
    }

    private static long now() {
        return Schedulers.immediate().now(TimeUnit.NANOSECONDS);
    }

    @Override
    public void cancel() {
        running = false;
    }
}
