package io.fluxmark.experiments.interval;

import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.experiments.crash.Victim;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** Kills jobs at random and starts them again, over a log that is there and that nobody else has open. */
final class Kills {

    private static final Duration WINDOWS = Duration.ofSeconds(10);

    private final Workspace workspace;
    private final Path log;
    private final long events;
    private final Scheduler clock;
    private final Random random;

    /** Random moments depend on {@code seed}. */
    Kills(Workspace workspace, Path log, long events, Scheduler clock, long seed) {
        this.workspace = workspace;
        this.log = log;
        this.events = events;
        this.clock = clock;
        this.random = new Random(seed);
    }

    /**
     * Kills at so many moments, one in each equal part of an interval.
     *
     * @param warm how long each job runs before
     */
    List<Kill> at(Duration interval, int count, Duration warm) {
        List<Kill> kills = new ArrayList<>();
        List<Integer> parts = new ArrayList<>();
        for (int part = 0; part < count; part++) {
            parts.add(part);
        }
        Collections.shuffle(parts, random);
        for (int part : parts) {
            long phase = (long) (interval.toNanos() * (part + random.nextDouble()) / count);
            workspace.within(files -> kills.add(kill(files, interval, warm.plusNanos(phase))));
        }
        return kills;
    }

    private Kill kill(Path files, Duration interval, Duration after) {
        try {
            Files.createSymbolicLink(files.resolve(Victim.LOG), log.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long killed;
        long target;
        try (Victim victim = Victim.start(files, WINDOWS, interval, 0)) {
            victim.awaitBegin();
            victim.letRun(after);
            killed = clock.now(TimeUnit.NANOSECONDS);
            target = victim.kill();
        }
        if (target >= events) {
            throw new IllegalStateException("the log of " + events + " events was too short for " + after);
        }
        try (Victim next = Victim.start(files, WINDOWS, interval, target)) {
            long from = next.awaitBegin();
            if (from < target) {
                next.awaitReached();
            }
            return new Kill(interval, Math.max(0, target - from), clock.now(TimeUnit.NANOSECONDS) - killed);
        }
    }
}
