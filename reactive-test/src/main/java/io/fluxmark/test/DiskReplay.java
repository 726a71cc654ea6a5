package io.fluxmark.test;

import java.util.List;
import java.util.SplittableRandom;

/** Makes the recorded changes of a disk again, one by one; between any two a process can be killed. Not thread-safe. */
final class DiskReplay {

    private final DiskContent content;
    private final List<DiskChange> changes;
    private int made;

    DiskReplay(DiskContent before, List<DiskChange> changes) {
        this.content = before;
        this.changes = changes;
    }

    int size() {
        return changes.size();
    }

    int made() {
        return made;
    }

    /** Makes changes until there are {@code count}. */
    void advanceTo(int count) {
        while (made < count) {
            content.apply(changes.get(made++));
        }
    }

    /** The change that was made last. */
    String last() {
        return made == 0 ? "nothing" : changes.get(made - 1).toString();
    }

    SimulatedDisk afterKill() {
        return SimulatedDisk.of(content.copy());
    }

    SimulatedDisk afterPowerCut(long seed) {
        return SimulatedDisk.of(content.afterPowerCut(new SplittableRandom(seed)));
    }
}
