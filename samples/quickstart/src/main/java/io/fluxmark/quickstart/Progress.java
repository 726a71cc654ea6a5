package io.fluxmark.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** Shows how far the run is: a bar on a terminal, a plain line every two seconds elsewhere. */
final class Progress implements Disposable {

    private static final Duration BAR_PERIOD = Duration.ofMillis(250);
    private static final Duration LINE_PERIOD = Duration.ofSeconds(2);

    private final PrintStream err;
    private final Scheduler scheduler;
    private final long total;
    private final Supplier<Standing> standing;
    private final @Nullable ProgressBar bar;
    private final long begun;
    private final long appendedBefore;
    private final long countedBefore;
    private final Disposable showing;

    /** Begins at once; {@code standing} is asked on {@code scheduler}. */
    Progress(PrintStream err, boolean terminal, long total, Supplier<Standing> standing, Scheduler scheduler) {
        this.err = err;
        this.scheduler = scheduler;
        this.total = total;
        this.standing = standing;
        this.bar = terminal ? bar(total) : null;
        this.begun = scheduler.now(TimeUnit.MILLISECONDS);
        Standing first = standing.get();
        this.appendedBefore = first.appended();
        this.countedBefore = first.counted();
        this.showing = Flux.interval(terminal ? BAR_PERIOD : LINE_PERIOD, scheduler)
                .onBackpressureDrop()
                .subscribe(tick -> show());
    }

    /** Shows the end, and ends. */
    @Override
    public void dispose() {
        showing.dispose();
        show();
        if (bar != null) {
            bar.close();
        }
    }

    private synchronized void show() {
        Standing now = standing.get();
        double seconds = Math.max(0.001, (scheduler.now(TimeUnit.MILLISECONDS) - begun) / 1e3);
        double in = (now.appended() - appendedBefore) / seconds;
        double out = (now.counted() - countedBefore) / seconds;
        String behind = now.watermarkLagMillis() < 0 ? "?" : Durations.text(now.watermarkLagMillis());
        if (bar != null) {
            bar.stepTo(now.counted());
            // Short enough for a terminal of 80 columns, together with the bar.
            bar.setExtraMessage(String.format(
                    Locale.ROOT,
                    "in %.0fk/s, out %.0fk/s, lag %.0fk, W -%s",
                    in / 1e3,
                    out / 1e3,
                    now.consumerLag() / 1e3,
                    behind));
        } else {
            err.printf(
                    Locale.ROOT,
                    "  %,d of %,d in (%,.0f/s), %,d counted (%,.0f/s), lag %,d records, watermark %s behind%n",
                    now.appended(),
                    total,
                    in,
                    now.counted(),
                    out,
                    now.consumerLag(),
                    behind);
        }
    }

    private static ProgressBar bar(long total) {
        return new ProgressBarBuilder()
                .setTaskName("flights")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis((int) BAR_PERIOD.toMillis())
                .hideEta()
                .build();
    }
}
