package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.input.EventInput;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar of how much of the input has been read, where a person looks on. */
public final class ReadingProgress implements AutoCloseable {

    /** Events between two looks at the position. */
    private static final int STRIDE = 4_096;

    private final EventInput input;
    private final @Nullable ProgressBar bar;
    private long events;

    /** A bar over {@code input}; none at all unless {@code visible}. */
    public ReadingProgress(EventInput input, boolean visible) {
        this.input = input;
        this.bar = visible
                ? new ProgressBarBuilder()
                        .setTaskName("reading")
                        .setInitialMax(input.size() < 0 ? -1 : Math.max(1, input.size() >> 10))
                        .setUnit(" KiB", 1)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(250)
                        .build()
                : null;
    }

    /** One more event has been read. */
    public void step() {
        if (bar != null && ++events % STRIDE == 0) {
            show(bar);
        }
    }

    private void show(ProgressBar shown) {
        shown.stepTo(input.position() >> 10);
        shown.setExtraMessage(String.format(Locale.ROOT, "%,d events", events));
    }

    @Override
    public void close() {
        if (bar != null) {
            show(bar);
            bar.close();
        }
    }
}
