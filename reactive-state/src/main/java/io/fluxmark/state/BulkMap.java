package io.fluxmark.state;

import java.util.Map;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.Page;
import org.h2.mvstore.RootReference;

/**
 * A map of the file that takes many entries at once. {@link #put} copies the whole path to a page for each entry, again and
 * again for neighbours; {@link #putAll} copies each page once, and fills pages instead of splitting them in halves where
 * entries are added at the end. Written by one thread.
 */
final class BulkMap extends MVMap<byte[], byte[]> {

    /** Makes them. */
    static final class Builder extends MVMap.BasicBuilder<BulkMap, byte[], byte[]> {

        Builder() {
            setKeyType(BytesType.INSTANCE);
            setValueType(BytesType.INSTANCE);
        }

        @Override
        protected BulkMap create(Map<String, Object> config) {
            return new BulkMap(config);
        }
    }

    private BulkMap(Map<String, Object> config) {
        super(config, BytesType.INSTANCE, BytesType.INSTANCE);
    }

    /** Puts the first {@code count} of these, whose keys rise. */
    void putAll(byte[][] keys, byte[][] values, int count) {
        if (count == 0) {
            return;
        }
        beforeWrite();
        RootReference<byte[], byte[]> before = flushAndGetRoot();
        BulkPut put = new BulkPut(this, keys, values, count);
        if (!updateRoot(before, put.into(before.root), 1)) {
            throw new IllegalStateException("Map " + getName() + " is written to by another thread");
        }
        registerUnsavedMemory(put.settle(before.version));
    }

    Page<byte[], byte[]> emptyLeaf() {
        return createEmptyLeaf();
    }
}
