package io.fluxmark.experiments.backpressure;

import io.fluxmark.experiments.measure.Figures;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A process with a queue that nothing bounds between a fast producer and a slow consumer: the memory it has is what ends it. */
final class UnboundedChild {

    /** Is printed with seconds, events produced, consumed and queued, and MB of heap used. */
    static final String AT = "at ";

    /** Is printed when it has had its time. */
    static final String SURVIVED = "survived";

    /** With its header 152 bytes on the heap, about as an event of the log. */
    private static final int EVENT_BYTES = 134;

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private UnboundedChild() {}

    /** @param args events consumed a second, produced a second, seconds */
    public static void main(String[] args) {
        int perSecond = Integer.parseInt(args[0]);
        int produced = Integer.parseInt(args[1]);
        long seconds = Long.parseLong(args[2]);
        Queue<byte[]> queue = new ConcurrentLinkedQueue<>();
        AtomicLong in = new AtomicLong();
        AtomicLong out = new AtomicLong();
        Scheduler clock = Schedulers.parallel();
        long start = clock.now(TimeUnit.NANOSECONDS);
        Flux.interval(PacedJob.TICK, Schedulers.newSingle("producer"))
                .onBackpressureDrop()
                .subscribe(tick -> {
                    for (long due = due(clock, start, produced); in.get() < due; in.incrementAndGet()) {
                        queue.add(new byte[EVENT_BYTES]);
                    }
                });
        Flux.interval(PacedJob.TICK, Schedulers.newSingle("consumer"))
                .onBackpressureDrop()
                .subscribe(tick -> {
                    for (long due = due(clock, start, perSecond); out.get() < due && queue.poll() != null; ) {
                        out.incrementAndGet();
                    }
                });
        Flux.interval(Duration.ofSeconds(1), Schedulers.newSingle("observer"))
                .take(seconds)
                .doOnNext(tick -> System.out.println(Figures.text(
                        AT + "%.1f %d %d %d %.0f",
                        (clock.now(TimeUnit.NANOSECONDS) - start) / NANOS_PER_SECOND,
                        in.get(),
                        out.get(),
                        in.get() - out.get(),
                        LiveHeap.used())))
                .blockLast();
        System.out.println(SURVIVED);
        System.exit(0);
    }

    private static long due(Scheduler clock, long start, int perSecond) {
        return (long) ((clock.now(TimeUnit.NANOSECONDS) - start) / NANOS_PER_SECOND * perSecond);
    }
}
