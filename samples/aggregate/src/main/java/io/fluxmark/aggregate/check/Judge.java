package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/** Decides what takes an event, by the rules S11 to S13 and, for sessions, S20; and counts. */
final class Judge {

    private final WindowSpec spec;
    private final TrueWindows trueWindows;
    private long accepted;
    private long late;
    private long unassigned;
    private long acceptedAssignments;
    private long lateAssignments;
    private long partial;
    private long refired;

    Judge(WindowText windows) {
        this.spec = windows.spec();
        this.trueWindows = new TrueWindows(windows);
    }

    /** The windows that take an event at {@code timestamp}; some window, where they do not follow from that. */
    List<TimeWindow> judge(long timestamp, long watermark) {
        if (!spec.hasFixedWindows()) {
            boolean missed = spec.kind() == WindowSpec.Kind.SESSION
                    && Watermark.isLate(Watermark.before(watermark, spec.allowedLatenessMillis()), timestamp);
            accepted += missed ? 0 : 1;
            late += missed ? 1 : 0;
            return missed ? List.of() : List.of(new TimeWindow(timestamp, timestamp + 1));
        }
        List<TimeWindow> takers = new ArrayList<>();
        boolean fired = false;
        List<TimeWindow> all = trueWindows.of(timestamp);
        for (TimeWindow window : all) {
            if (!Watermark.expires(watermark, window.end(), spec.allowedLatenessMillis())) {
                takers.add(window);
                fired |= Watermark.closes(watermark, window.end());
            }
        }
        count(all.size(), takers.size(), fired);
        return takers;
    }

    private void count(int windows, int takers, boolean fired) {
        acceptedAssignments += takers;
        lateAssignments += windows - takers;
        if (windows == 0) {
            unassigned++;
        } else if (takers == 0) {
            late++;
        } else {
            accepted++;
            refired += fired ? 1 : 0;
            partial += takers < windows ? 1 : 0;
        }
    }

    long accepted() {
        return accepted;
    }

    long late() {
        return late;
    }

    long unassigned() {
        return unassigned;
    }

    long acceptedAssignments() {
        return acceptedAssignments;
    }

    long lateAssignments() {
        return lateAssignments;
    }

    long partial() {
        return partial;
    }

    long refired() {
        return refired;
    }
}
