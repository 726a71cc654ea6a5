package io.fluxmark.test;

import io.fluxmark.windows.PlainBatch.Slot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One window of one key, as a plain list of what it has taken in, and what it has said last. */
final class PlainPane<T, K, R> {

    final Slot<K> slot;

    /** In order of arrival. */
    final List<T> events = new ArrayList<>();

    /** How many of the events came after the window had fired. */
    long late;

    /** Whether the window is past its end. */
    boolean fired;

    /** What was emitted last, until it is taken back. */
    @Nullable
    R live;

    int revision = -1;

    /** How many of the events an emission has spoken of. */
    int told;

    PlainPane(Slot<K> slot) {
        this.slot = slot;
    }
}
