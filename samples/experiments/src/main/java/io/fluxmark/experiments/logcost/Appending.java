package io.fluxmark.experiments.logcost;

import io.fluxmark.benchmarks.log.Appenders;
import io.fluxmark.benchmarks.log.Level;
import io.fluxmark.benchmarks.log.LogUnderTest;
import io.fluxmark.benchmarks.log.PlainLog;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.log.LogSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import reactor.core.scheduler.Scheduler;

/**
 * One way to append to one partition, measured round by round: so many appenders that each append a run of records, wait for its
 * result, and append the next; beside a plain loop with blocks of as many records as may be under way at a time.
 */
final class Appending {

    private static final long SEGMENT_BYTES = 1 << 30;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int DIGITS = 3;
    private static final long MOST_APPENDS = 100_000;
    private static final long MOST_RECORDS = 2_000_000;
    private static final int FEWEST_SYNCED = 500;
    private static final int SYNCED_BY_EACH = 20;

    private final Level level;
    private final int appenders;
    private final int run;
    private final long appends;
    private final List<Double> rates = new ArrayList<>();
    private final List<Double> plainRates = new ArrayList<>();
    private final Histogram latencies = new Histogram(DIGITS);

    /**
     * @param share of the appends that a full measurement makes
     */
    Appending(Level level, int appenders, int run, double share) {
        this.level = level;
        this.appenders = appenders;
        this.run = run;
        long all = level == Level.SYNC
                ? Math.max(FEWEST_SYNCED, SYNCED_BY_EACH * appenders)
                : Math.min(MOST_APPENDS, MOST_RECORDS / run);
        this.appends = Math.max(1, (long) (all * share) / appenders) * appenders;
    }

    void measure(Workspace workspace, Scheduler clock, boolean counts) {
        workspace.within(directory -> {
            int block = Math.min(PlainLog.USUAL_BLOCK, appenders * run);
            PlainLog plain = new PlainLog(directory, 1, block, clock);
            long began = clock.now(TimeUnit.NANOSECONDS);
            plain.append(appends * run, level);
            note(plainRates, clock.now(TimeUnit.NANOSECONDS) - began, counts);
        });
        workspace.within(directory -> {
            LogSpec spec = LogSpec.defaults().durability(level.durability()).segmentBytes(SEGMENT_BYTES);
            try (LogUnderTest log = LogUnderTest.open(directory, 1, spec)) {
                Appenders all = new Appenders(log, clock);
                long began = clock.now(TimeUnit.NANOSECONDS);
                long acknowledged = all.run(appenders, run, appends);
                note(rates, clock.now(TimeUnit.NANOSECONDS) - began, counts);
                if (acknowledged != appends) {
                    throw new IllegalStateException(acknowledged + " of " + appends + " appends were acknowledged");
                }
                if (counts) {
                    latencies.add(all.latencies());
                }
            }
        });
    }

    private void note(List<Double> series, long nanos, boolean counts) {
        if (counts) {
            series.add(appends * run / (nanos / NANOS_PER_SECOND));
        }
    }

    /** The cells of a row. */
    Object[] row() {
        double rate = Figures.median(rates);
        double plain = Figures.median(plainRates);
        return new Object[] {
            level,
            run,
            appenders,
            Math.round(rate),
            Math.round(plain),
            Figures.decimal(rate / plain, 2),
            millis(50),
            millis(99),
            millis(99.9)
        };
    }

    private String millis(double percentile) {
        return Figures.decimal(latencies.getValueAtPercentile(percentile) / NANOS_PER_MILLI, 3);
    }
}
