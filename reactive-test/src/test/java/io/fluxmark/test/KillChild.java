package io.fluxmark.test;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Appends and runs one of the pipelines over real files, until it is through or killed. Says what is acknowledged, and when
 * a store commit begins and ends.
 */
final class KillChild {

    static final String BEGUN = "begun";
    static final String APPENDED = "appended ";
    static final String COMMITTED = "committed ";
    static final String COMMIT_BEGINS = "<";
    static final String COMMIT_ENDS = ">";
    static final String THROUGH = "through";

    /** Said, with {@link #HOLD}, once rows are durable ahead of their commit. The store does nothing any more then. */
    static final String HELD = "held";

    static final String HOLD = "hold";
    static final String RUN = "run";

    private KillChild() {}

    /** The case as both sides run it. */
    static JobCase job(String pipeline, int records, long seed) {
        JobCase job = Objects.requireNonNull(CrashPipelines.all(records, seed).get(pipeline), pipeline);
        return pipeline.equals(CrashPipelines.SPILLS) ? job : job.pace(25, 20);
    }

    /** @param args directory, pipeline, number of records, seed, and whether to hold the store when rows are written ahead */
    public static void main(String[] args) {
        boolean holds = args[4].equals(HOLD);
        AtomicReference<JobRig> opened = new AtomicReference<>();
        Executor thread = Executors.newSingleThreadExecutor();
        Executor marked = task -> thread.execute(() -> {
            System.out.println(COMMIT_BEGINS);
            task.run();
            System.out.println(COMMIT_ENDS);
            if (holds && hasRowsAhead(opened.get())) {
                System.out.println(HELD);
                while (true) {
                    LockSupport.park(); // until it is killed
                }
            }
        });
        JobCase found = job(args[1], Integer.parseInt(args[2]), Long.parseLong(args[3]));
        JobCase job = found.opening(log -> found.log(), store -> found.store().executor(marked));
        try (JobRig rig = JobRig.open(job, Path.of(args[0]), null)) {
            opened.set(rig);
            System.out.println(BEGUN);
            try (RunningJob running = rig.start(offsets -> System.out.println(COMMITTED + text(offsets)))) {
                rig.append(job.numbered(), count -> System.out.println(APPENDED + count));
                running.drain();
                running.awaitEnd();
            }
            System.out.println(THROUGH);
        }
        System.exit(0);
    }

    private static boolean hasRowsAhead(@Nullable JobRig rig) {
        return rig != null && JobRig.done(rig.store().info()).aheadTransactions() > 0;
    }

    private static String text(long[] offsets) {
        return String.join(" ", Arrays.stream(offsets).mapToObj(String::valueOf).toList());
    }

    /** What a line of output promises, added to what was promised before; a line cut short by the kill says nothing. */
    static Promise promised(Promise before, String line) {
        int lanes = before.offsets().length;
        if (line.matches(APPENDED + "\\d+")) {
            return before.plus(Promise.of(lanes, Integer.parseInt(line.substring(APPENDED.length()))));
        }
        if (line.matches(COMMITTED + "\\d+( \\d+){" + (lanes - 1) + "}")) {
            return before.plus(
                    Promise.of(Arrays.stream(line.substring(COMMITTED.length()).split(" ", -1))
                            .mapToLong(Long::parseLong)
                            .toArray()));
        }
        return before;
    }
}
