package io.fluxmark.experiments.barriers;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Table;
import java.util.Random;

/** The model of several inputs at the settings of the notebook, with crashes at random. */
final class ModelRuns {

    private static final int INPUTS = 4;
    private static final int QUEUE_RUNS = 32;
    private static final int RUN_EVENTS = 256;
    private static final int EVENT_BYTES = 100;
    private static final long EVENTS = 1_000L * RUN_EVENTS;
    private static final int MOST_RUNS = 400;
    private static final long SEED = 13;
    private static final double MILLIS = 1_000;

    private ModelRuns() {}

    /** The longest of so many checkpoints in each setting, each followed by a crash; lost and doubled are sums. */
    static Table run(int checkpoints) {
        Table table = new Table(
                "barriers",
                "event_us",
                "inputs",
                "checkpoints",
                "wait_ms",
                "blocked_ms",
                "queued_events",
                "queued_mb",
                "lost",
                "doubled");
        for (double micros : new double[] {1, 100}) {
            for (boolean slow : new boolean[] {true, false}) {
                for (boolean unaligned : new boolean[] {false, true}) {
                    table.row(row(
                            new InputsModel.Setting(INPUTS, slow, QUEUE_RUNS, RUN_EVENTS, micros),
                            unaligned,
                            checkpoints));
                }
            }
        }
        return table;
    }

    private static Object[] row(InputsModel.Setting setting, boolean unaligned, int checkpoints) {
        Random random = new Random(SEED);
        double wait = 0;
        double blocked = 0;
        long queued = 0;
        long lost = 0;
        long doubled = 0;
        for (int i = 0; i < checkpoints; i++) {
            InputsModel.Outcome outcome = new InputsModel(setting, EVENTS)
                    .run(unaligned, 1 + random.nextInt(MOST_RUNS), random.nextInt(MOST_RUNS), true);
            wait = Math.max(wait, outcome.waitMicros());
            blocked = Math.max(blocked, outcome.blockedMicros());
            queued = Math.max(queued, outcome.queuedEvents());
            lost += outcome.lost();
            doubled += outcome.doubled();
        }
        return new Object[] {
            unaligned ? "unaligned" : "aligned",
            Figures.decimal(setting.eventMicros(), 0),
            setting.slow() ? INPUTS - 1 + " full and a slow one" : INPUTS + " full",
            checkpoints,
            Figures.decimal(wait / MILLIS, 1),
            Figures.decimal(blocked / MILLIS, 1),
            queued,
            Figures.decimal(queued * EVENT_BYTES / 1e6, 2),
            lost,
            doubled
        };
    }
}
