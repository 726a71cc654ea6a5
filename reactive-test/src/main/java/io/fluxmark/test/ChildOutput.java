package io.fluxmark.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** What a process prints, read on a thread of {@link Schedulers#boundedElastic()} until it ends. Thread-safe. */
final class ChildOutput {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> lines = new ArrayList<>();
    private final int maxLines;
    private int looked;
    private boolean ended;

    private ChildOutput(int maxLines) {
        this.maxLines = maxLines;
    }

    static ChildOutput of(Process process, int maxLines) {
        ChildOutput output = new ChildOutput(maxLines);
        Schedulers.boundedElastic().schedule(() -> output.read(process));
        return output;
    }

    private void read(Process process) {
        try (BufferedReader in = process.inputReader()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!add(line)) {
                    process.toHandle().destroyForcibly();
                    break;
                }
            }
        } catch (IOException e) {
            add("(its output ended with " + e + ")");
        } finally {
            end();
        }
    }

    private boolean add(String line) {
        lock.lock();
        try {
            boolean room = lines.size() < maxLines;
            lines.add(room ? line : "(more than " + maxLines + " lines: killed)");
            changed.signalAll();
            return room;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next line that matches, or null when the output, or the patience, ends before it. */
    @Nullable
    String await(Predicate<String> matches, Duration patience) {
        lock.lock();
        try {
            long remaining = patience.toNanos();
            while (true) {
                while (looked < lines.size()) {
                    String line = lines.get(looked++);
                    if (matches.test(line)) {
                        return line;
                    }
                }
                if (ended || remaining <= 0) {
                    return null;
                }
                remaining = changed.awaitNanos(remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a child's output", e);
        } finally {
            lock.unlock();
        }
    }

    boolean awaitEnd(Duration patience) {
        await(line -> false, patience);
        return hasEnded();
    }

    boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    List<String> lines() {
        lock.lock();
        try {
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }
}
