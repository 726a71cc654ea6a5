package io.fluxmark.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/**
 * An append that waits for room in the queue, for so long and no longer. Either it is queued, and answered by the log, or it
 * is refused and nothing of it is stored. Thread-safe.
 */
final class PatientAppend implements AppendRequest.Answer, Runnable {

    private final LogWriterThread writer;
    private final MonoSink<List<AppendResult>> sink;
    private final AppendRequest request;
    private final Disposable.Swap timer = Disposables.swap();

    private @Nullable LogOverloadedException refusal;
    private boolean over;

    private PatientAppend(LogWriterThread writer, AppendDraft draft, MonoSink<List<AppendResult>> sink) {
        this.writer = writer;
        this.sink = sink;
        this.request = draft.toRequest(this);
    }

    static void start(
            LogWriterThread writer,
            AppendDraft draft,
            Duration patience,
            Scheduler clock,
            MonoSink<List<AppendResult>> sink) {
        PatientAppend append = new PatientAppend(writer, draft, sink);
        append.run();
        if (patience.isZero()) {
            append.giveUp();
        } else if (append.isWaiting()) {
            append.timer.update(clock.schedule(append::giveUp, patience.toNanos(), TimeUnit.NANOSECONDS));
            sink.onCancel(append::cancel);
            if (!append.isWaiting()) {
                append.timer.dispose();
            }
        }
    }

    private synchronized boolean isWaiting() {
        return !over;
    }

    /** Tries once more. */
    @Override
    public void run() {
        RuntimeException failure = null;
        synchronized (this) {
            if (over) {
                return;
            }
            try {
                refusal = writer.offer(request, this);
                over = refusal == null;
            } catch (RuntimeException e) {
                failure = e;
                over = true;
            }
            if (!over) {
                return;
            }
        }
        timer.dispose();
        if (failure != null) {
            sink.error(failure);
        }
    }

    private void giveUp() {
        LogOverloadedException why = refusal;
        if (end() && why != null) {
            sink.error(why);
        }
    }

    private void cancel() {
        if (end()) {
            timer.dispose();
        }
    }

    /** Whether it waited until now: then it is never queued. */
    private synchronized boolean end() {
        boolean waited = !over;
        over = true;
        return waited;
    }

    @Override
    public Runnable appended() {
        return () -> sink.success(request.results());
    }

    @Override
    public Runnable refused(Throwable why) {
        return () -> sink.error(why);
    }
}
