package io.fluxmark.aggregate.check;

import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.TimeWindow;
import java.util.Comparator;

/** The place of one value: a key and a window. */
record Slot(Object key, TimeWindow window) {

    static final Comparator<Slot> ORDER = Comparator.comparing(Slot::window)
            .thenComparing(Slot::key, KeyCodec.tagged().order());

    @Override
    public String toString() {
        return "key " + key + " window [" + window.start() + "," + window.end() + ")";
    }
}
