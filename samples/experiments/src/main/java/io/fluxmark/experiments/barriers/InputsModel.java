package io.fluxmark.experiments.barriers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A model, not Fluxmark: an operator with several inputs, each with a bounded queue of runs in front of it, and a barrier that enters
 * every input at the same moment. Aligned, the operator stops taking from an input whose barrier it has met until it has met
 * all of them. Unaligned, the barrier overtakes what is queued, which becomes part of the checkpoint. Its clock is the operator's work.
 * In Fluxmark barriers enter behind the merge, so that neither is needed.
 */
final class InputsModel {

    /**
     * What is modelled.
     *
     * @param inputs how many; the queues of all but the slow one are full at any time
     * @param slow whether the first one brings a run only when the operator has taken 64
     * @param queueRuns the most runs in a queue
     * @param runEvents events in a run
     * @param eventMicros what the operator takes for one
     */
    record Setting(int inputs, boolean slow, int queueRuns, int runEvents, double eventMicros) {}

    /**
     * What came of one checkpoint, and of a crash behind it.
     *
     * @param waitMicros from when the barriers entered until the checkpoint was complete
     * @param blockedMicros how long the operator left the input alone that it left alone longest
     * @param queuedEvents events in the checkpoint that the operator had not seen
     * @param lost events that the operator never saw, over all of the run with its restart
     * @param doubled events that were in its state twice
     */
    record Outcome(double waitMicros, double blockedMicros, long queuedEvents, long lost, long doubled) {}

    private record Run(long first, int events) {

        /** A barrier brings nothing. */
        boolean isBarrier() {
            return events == 0;
        }
    }

    /** What a checkpoint holds. */
    private static final class Snapshot {

        private final long[] seen;
        private final long[] sources;
        private final List<List<Run>> queued;

        Snapshot(long[] seen, long[] sources, List<List<Run>> queued) {
            this.seen = seen;
            this.sources = sources;
            this.queued = queued;
        }
    }

    private static final Run BARRIER = new Run(-1, 0);
    private static final int SLOW_EVERY = 64;

    private final Setting setting;
    private final long eventsPerInput;
    private final List<ArrayDeque<Run>> queues = new ArrayList<>();
    private final double[] blockedSince;

    /** By input: how many events its source has sent, and which one the operator's state waits for. */
    private long[] sources;

    private long[] seen;
    private double micros;
    private double longestBlocked;
    private long taken;
    private int turn;
    private long lost;
    private long doubled;

    /** Each input has so many events. */
    InputsModel(Setting setting, long eventsPerInput) {
        this.setting = setting;
        this.eventsPerInput = eventsPerInput;
        this.sources = new long[setting.inputs()];
        this.seen = new long[setting.inputs()];
        this.blockedSince = new double[setting.inputs()];
        Arrays.fill(blockedSince, -1);
        for (int i = 0; i < setting.inputs(); i++) {
            queues.add(new ArrayDeque<>());
        }
    }

    /**
     * Runs to the end of all inputs, with a checkpoint and a crash.
     *
     * @param unaligned whether barriers overtake
     * @param barrierAt how many runs the operator takes before the barriers enter
     * @param crashAfter how many it takes between the checkpoint and the crash
     * @param withQueued false leaves what was queued out of the checkpoint, which is wrong where barriers overtake
     */
    Outcome run(boolean unaligned, int barrierAt, int crashAfter, boolean withQueued) {
        take(barrierAt);
        double entered = micros;
        Snapshot snapshot = unaligned ? snapshot() : align();
        double wait = micros - entered;
        long queued = snapshot.queued.stream()
                .flatMap(List::stream)
                .mapToLong(Run::events)
                .sum();
        take(crashAfter);
        restore(snapshot, withQueued);
        while (takeOne()) {
            // to the end
        }
        for (long next : seen) {
            lost += eventsPerInput - next;
        }
        return new Outcome(wait, longestBlocked, queued, lost, doubled);
    }

    private void take(int runs) {
        for (int i = 0; i < runs && takeOne(); i++) {
            // one at a time
        }
    }

    private Snapshot align() {
        long[] sent = sources.clone();
        queues.forEach(queue -> queue.add(BARRIER));
        boolean all = false;
        while (!all) {
            all = true;
            for (int i = 0; i < queues.size(); i++) {
                Run head = queues.get(i).peek();
                boolean met = head != null && head.isBarrier();
                if (met && blockedSince[i] < 0) {
                    blockedSince[i] = micros;
                }
                all &= met;
            }
            if (!all) {
                takeOne();
            }
        }
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).remove();
            longestBlocked = Math.max(longestBlocked, micros - blockedSince[i]);
            blockedSince[i] = -1;
        }
        List<List<Run>> nothing = queues.stream().map(queue -> List.<Run>of()).toList();
        return new Snapshot(seen.clone(), sent, nothing);
    }

    private Snapshot snapshot() {
        return new Snapshot(
                seen.clone(),
                sources.clone(),
                queues.stream().map(queue -> List.copyOf(queue)).toList());
    }

    private void restore(Snapshot snapshot, boolean withQueued) {
        seen = snapshot.seen.clone();
        sources = snapshot.sources.clone();
        for (int i = 0; i < queues.size(); i++) {
            queues.get(i).clear();
            if (withQueued) {
                queues.get(i).addAll(snapshot.queued.get(i));
            }
        }
    }

    private void fill() {
        boolean idle = queues.stream().allMatch(ArrayDeque::isEmpty);
        for (int i = 0; i < queues.size(); i++) {
            if (setting.slow() && i == 0) {
                if (taken % SLOW_EVERY == 0 || idle) {
                    send(i);
                }
            } else {
                while (queues.get(i).size() < setting.queueRuns() && sources[i] < eventsPerInput) {
                    send(i);
                }
            }
        }
    }

    private void send(int input) {
        int events = (int) Math.min(setting.runEvents(), eventsPerInput - sources[input]);
        if (events > 0 && queues.get(input).size() < setting.queueRuns()) {
            queues.get(input).add(new Run(sources[input], events));
            sources[input] += events;
        }
    }

    /** The inputs take turns; false if there is nothing to take. */
    private boolean takeOne() {
        fill();
        for (int i = 0; i < queues.size(); i++) {
            int input = (turn + i) % queues.size();
            Run run = queues.get(input).peek();
            if (run != null && !run.isBarrier()) {
                queues.get(input).remove();
                turn = input + 1;
                taken++;
                micros += run.events() * setting.eventMicros();
                lost += Math.max(0, run.first() - seen[input]);
                doubled += Math.max(0, seen[input] - run.first());
                seen[input] = run.first() + run.events();
                return true;
            }
        }
        return false;
    }
}
