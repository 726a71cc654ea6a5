package io.fluxmark.cli.console;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on standard error, or nothing at all. Steps may come from any thread, one at a time. */
public final class Progress implements AutoCloseable {

    private static final int UPDATE_MILLIS = 250;

    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    static Progress start(boolean visible, String task, String unit, long total) {
        return new Progress(
                visible
                        ? new ProgressBarBuilder()
                                .setTaskName(task)
                                .setInitialMax(total)
                                .setUnit(" " + unit, 1)
                                .setStyle(ProgressBarStyle.ASCII)
                                .setUpdateIntervalMillis(UPDATE_MILLIS)
                                .build()
                        : null);
    }

    /** Shows how far it is, in units. */
    public void stepTo(long position) {
        if (bar != null) {
            bar.stepTo(position);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
