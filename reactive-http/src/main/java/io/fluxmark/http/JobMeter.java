package io.fluxmark.http;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The meters that {@link JobMeters} registers for a job, as data; docs/operations.md lists the same. */
public enum JobMeter implements MeterDocumentation {
    /** Whether the job runs. */
    RUNNING("running", Meter.Type.GAUGE, "", "1 while it runs"),
    /** What {@link io.fluxmark.sinks.JobHealth} says. */
    HEALTH("health", Meter.Type.GAUGE, "", "2 up, 1 degraded, 0 down"),
    /** Runs after a failure. */
    RESTARTS("restarts", Meter.Type.COUNTER, "", "runs after a failure"),
    /** Consumer lag. */
    LAG("lag", Meter.Type.GAUGE, "records", "consumer lag: appended and not part of a commit", Key.LANE),
    /** What is not read. */
    UNREAD("unread", Meter.Type.GAUGE, "records", "appended and not read; NaN when it does not run", Key.LANE),
    /** The committed watermark. */
    WATERMARK(
            "watermark",
            Meter.Type.GAUGE,
            "seconds",
            "committed watermark, since the epoch; NaN without one",
            Key.LANE),
    /** How far it is behind. */
    WATERMARK_LAG("watermark.lag", Meter.Type.GAUGE, "seconds", "how far the smallest one is behind the clock"),
    /** What windows hold. */
    STATE_ENTRIES("state.entries", Meter.Type.GAUGE, "entries", "what windows hold", Key.LANE),
    /** The heap that state takes. */
    STATE_SIZE("state.size", Meter.Type.GAUGE, "bytes", "state on the heap, about", Key.LANE),
    /** Windows that have not fired. */
    WINDOWS_OPEN("windows.open", Meter.Type.GAUGE, "windows", "windows that have not fired", Key.LANE),
    /** The sum of what became of events. */
    EVENTS(
            "events",
            Meter.Type.COUNTER,
            "",
            "committed events by what became of them: together the records read",
            Key.OUTCOME),
    /** All that operators count besides. */
    COUNTS("counts", Meter.Type.COUNTER, "", "what else the last stage has counted, see `Counter`", Key.COUNT),
    /** Results. */
    ROWS("rows", Meter.Type.COUNTER, "", "results in durable checkpoints"),
    /** Transactions of lanes. */
    CHECKPOINTS("checkpoints", Meter.Type.COUNTER, "", "lanes' transactions, `completed` and `failed`", Key.RESULT),
    /** From barrier to durable. */
    CHECKPOINT_DURATION("checkpoint.duration", Meter.Type.GAUGE, "seconds", "of the last one"),
    /** Its transaction. */
    CHECKPOINT_SIZE("checkpoint.size", Meter.Type.GAUGE, "bytes", "of the last one"),
    /** How long ago it was. */
    CHECKPOINT_AGE("checkpoint.age", Meter.Type.GAUGE, "seconds", "since the last one"),
    /** {@link io.fluxmark.sinks.CheckpointCosts#perCheckpoint}. */
    CHECKPOINT_COST("checkpoint.cost", Meter.Type.GAUGE, "seconds", "work that one round of checkpoints costs the job"),
    /** {@link io.fluxmark.sinks.CheckpointCosts#advice}. */
    CHECKPOINT_ADVISED(
            "checkpoint.advised",
            Meter.Type.GAUGE,
            "seconds",
            "the interval at which least is lost, if `bind` is given the mean time between failures"),
    /** The job's store. */
    STORE_SIZE("store.size", Meter.Type.GAUGE, "bytes", "the store's file"),
    /** Its unsaved changes. */
    STORE_UNSAVED("store.unsaved", Meter.Type.GAUGE, "bytes", "its changes on the heap"),
    /** How often it has opened itself again. */
    STORE_REOPENINGS("store.reopenings", Meter.Type.COUNTER, "", "how often it has opened itself again");

    private static final String PREFIX = "fluxmark.job.";

    private final String name;
    private final Meter.Type type;
    private final String unit;
    private final String says;
    private final @Nullable Key key;

    JobMeter(String name, Meter.Type type, String unit, String says) {
        this(name, type, unit, says, null);
    }

    JobMeter(String name, Meter.Type type, String unit, String says, @Nullable Key key) {
        this.name = PREFIX + name;
        this.type = type;
        this.unit = unit;
        this.says = says;
        this.key = key;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Meter.Type getType() {
        return type;
    }

    /** Empty where it is a plain number. */
    @Override
    public String getBaseUnit() {
        return unit;
    }

    /** What it says, in a few words; the registry's description too. */
    public String says() {
        return says;
    }

    /** The tag it has beside {@link Key#JOB}, if any. */
    @Override
    public KeyName[] getKeyNames() {
        return key == null ? new KeyName[0] : new KeyName[] {key};
    }

    /** The tags of meters. */
    public enum Key implements KeyName {
        /** The job's name: of every meter. */
        JOB,
        /** The lane's number. */
        LANE,
        /** An outcome of {@link io.fluxmark.windows.Counter}, in small letters. */
        OUTCOME,
        /** Another one of those. */
        COUNT,
        /** What has become of a checkpoint. */
        RESULT;

        @Override
        public String asString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
