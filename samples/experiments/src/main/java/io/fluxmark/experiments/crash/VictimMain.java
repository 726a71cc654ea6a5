package io.fluxmark.experiments.crash;

import io.fluxmark.benchmarks.durable.DurableJob;
import io.fluxmark.benchmarks.durable.FilledLog;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.WindowSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The process of a {@link Victim}: runs the tumbling job over a log until it is killed, or until its standard input ends, so that it
 * never outlives the one who has started it. Prints {@code from N} at the first record it reads, N being its offset, and {@code reached}
 * at the last one before the offset that it was given, at once if that is 0.
 */
public final class VictimMain {

    private VictimMain() {}

    /** Takes the directory of log, store and progress, the windows' size and the interval in ms, and the offset. */
    @SuppressWarnings("SystemOut") // it speaks to its parent
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        WindowSpec windows = WindowSpec.tumbling(Duration.ofMillis(Long.parseLong(args[1])));
        Duration interval = Duration.ofMillis(Long.parseLong(args[2]));
        long target = Long.parseLong(args[3]);
        Progress progress = Progress.create(directory.resolve(Victim.PROGRESS));
        AtomicBoolean begun = new AtomicBoolean();
        FilledLog log = FilledLog.open(directory.resolve(Victim.LOG));
        DurableJob job = DurableJob.open(
                directory.resolve(Victim.STORE),
                log.watched(offset -> {
                    if (!begun.getPlain()) {
                        begun.setPlain(true);
                        System.out.println(Victim.FROM + offset);
                    }
                    progress.reached(offset + 1);
                    if (offset + 1 == target) {
                        System.out.println(Victim.REACHED);
                    }
                }),
                windows,
                StoreSpec.defaults().stateBytes(Victim.STATE_BYTES));
        job.checkpoints(Victim.checkpoints(interval)).subscribe(checkpoint -> {}, failure -> {
            failure.printStackTrace(System.out);
            Runtime.getRuntime().halt(1);
        });
        if (target == 0) {
            System.out.println(Victim.REACHED);
        }
        while (System.in.read() >= 0) {
            // nobody writes: the end of the input is the end of the parent
        }
    }
}
