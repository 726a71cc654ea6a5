package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;

/** What can be read of a partition, whoever writes it. Immutable. */
final class PartitionReads {

    private final PartitionView view;
    private final LogStorage storage;
    private final LogSpec spec;

    PartitionReads(PartitionView view, LogStorage storage, LogSpec spec) {
        this.view = view;
        this.storage = storage;
        this.spec = spec;
    }

    Flux<LogRecord> readTo(long from, long endExclusive) {
        return read(ReadOptions.from(from).to(endExclusive));
    }

    Flux<LogRecord> read(ReadOptions options) {
        return FluxReadRecords.create(plan(options, spec.readScheduler()));
    }

    Flux<LogRecord> readFrom(Instant moment) {
        long timestamp = millisOf(moment);
        return offsetAt(moment)
                .flatMapMany(from -> read(ReadOptions.from(from)))
                .skipUntil(record -> record.appendTime() >= timestamp);
    }

    Mono<Long> offsetAt(Instant moment) {
        long timestamp = millisOf(moment);
        return Mono.fromCallable(() -> offsetAt(timestamp)).subscribeOn(spec.readScheduler());
    }

    Flux<RecordRun> readRuns(ReadOptions options, int maxRun, Scheduler scheduler) {
        Objects.requireNonNull(scheduler, "scheduler");
        if (maxRun < 1) {
            throw new IllegalArgumentException("maxRun must be at least 1 but was " + maxRun);
        }
        return FluxReadRuns.create(plan(options, scheduler), maxRun);
    }

    /**
     * @param progress is told after each batch up to which offset all has been read
     */
    Flux<CorruptSegmentException> verify(LongConsumer progress) {
        return generate(() -> new Verification(view, storage, spec.readBufferBytes(), progress), Verification::next);
    }

    /** The batches from the one that holds an offset on, up to the end at subscription. */
    Flux<BatchInfo> batches(long from) {
        return generate(
                () -> new BatchWalk(
                        view,
                        plan(ReadOptions.from(from), spec.readScheduler()),
                        view.tail().offset()),
                BatchWalk::next);
    }

    /** Emits on the read scheduler what {@code next} answers, until that is null. */
    private <S extends Closeable, T> Flux<T> generate(Callable<S> begin, Step<S, T> next) {
        BiFunction<S, SynchronousSink<T>, S> generator = (state, sink) -> {
            T value = next.of(state);
            if (value == null) {
                sink.complete();
            } else {
                sink.next(value);
            }
            return state;
        };
        return Flux.generate(begin, generator, PartitionReads::close).subscribeOn(spec.readScheduler());
    }

    private ReadPlan plan(ReadOptions options, Scheduler scheduler) {
        Objects.requireNonNull(options, "options");
        return new ReadPlan(view, storage, spec.readBufferBytes(), options, scheduler);
    }

    private long offsetAt(long timestamp) {
        try {
            return TimeSearch.find(view, storage, spec.readBufferBytes(), timestamp);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot search " + view.name() + " by time: " + e, e);
        }
    }

    /** The first whole millisecond at or after the moment: append times have no more digits. */
    private static long millisOf(Instant moment) {
        Objects.requireNonNull(moment, "moment");
        try {
            long millis = moment.toEpochMilli();
            return Instant.ofEpochMilli(millis).isBefore(moment) ? Math.addExact(millis, 1) : millis;
        } catch (ArithmeticException e) {
            return moment.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private static void close(Closeable state) {
        try {
            state.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Step<S, T> {
        @Nullable
        T of(S state);
    }
}
