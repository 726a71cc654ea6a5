package io.fluxmark.sinks;

import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.Watermark;
import java.util.List;
import java.util.OptionalLong;

/**
 * One lane of a job at one moment.
 *
 * @param committed what is durable of it
 * @param unread how many records of its partitions it has not read, of a lane that runs; -1 of another
 * @param stateBytes about how much heap its state took at its last barrier; 0 of a lane that does not run
 * @param windows why its windows have not fired, in the order of the stream; empty of a lane that does not run or does not answer
 */
public record LaneObservation(JobStatus.Lane committed, long unread, long stateBytes, List<Explanation> windows) {

    /** Copies the list. */
    public LaneObservation {
        windows = List.copyOf(windows);
    }

    /** The lane's number. */
    public int lane() {
        return committed.lane();
    }

    /** How many records are appended and not yet part of a commit: what a restart now would read, to catch up. */
    public long lag() {
        return committed.lag();
    }

    /** The outcomes of all records that the lane has committed. */
    public Counters counts() {
        return committed.counts();
    }

    /** How many entries its windows hold. */
    public long stateEntries() {
        return windows.stream().mapToLong(Explanation::entries).sum();
    }

    /** How many windows are open, over all its keys and operators. */
    public long openWindows() {
        return windows.stream().mapToLong(Explanation::openWindows).sum();
    }

    /** The committed watermark of its event time, epoch ms; empty before the first event, and at the end of the stream. */
    public OptionalLong watermark() {
        return committed.watermarks().entrySet().stream()
                .filter(each -> each.getKey().startsWith("event-time"))
                .mapToLong(each -> each.getValue())
                .filter(each -> each != Watermark.NONE && each != Watermark.END)
                .min();
    }
}
