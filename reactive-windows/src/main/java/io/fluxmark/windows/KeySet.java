package io.fluxmark.windows;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Windows by key: those that were added last, in the order in which their keys came. */
final class KeySet<K, A> extends AbstractCollection<LiveWindows<K, A>> {

    private final Map<K, LiveWindows<K, A>> byKey = new LinkedHashMap<>();

    @Override
    public boolean add(LiveWindows<K, A> windows) {
        return byKey.put(windows.key(), windows) != windows;
    }

    @Override
    public Iterator<LiveWindows<K, A>> iterator() {
        return byKey.values().iterator();
    }

    @Override
    public int size() {
        return byKey.size();
    }
}
