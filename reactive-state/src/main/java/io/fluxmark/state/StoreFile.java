package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.FileStore;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.store.fs.FilePath;
import org.jspecify.annotations.Nullable;

/**
 * The opened file: H2's store, set up so that nothing becomes durable before {@link #commit} and everything before it
 * does, and all its maps. Written by one thread.
 *
 * <p>A new file is built under another name, made durable and then renamed, so an incomplete file never has the real
 * name.
 */
final class StoreFile {

    static final int LAYOUT = 2;

    private static final String NAME = "state.mv";
    private static final String UNFINISHED = "state.mv.new";
    private static final byte[] FORMAT = "format".getBytes(StandardCharsets.UTF_8);
    private static final byte[] FORMAT_VALUE = "fluxmark-state".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COMMIT = "commit".getBytes(StandardCharsets.UTF_8);

    // Rewrites sparse chunks up to this size with each commit; without it the file grows without bound, because the
    // store's own maintenance belongs to the background thread that is switched off here.
    private static final int COMPACT_FILL_RATE = 70;
    private static final int COMPACT_BYTES = 1 << 20;
    // A commit rewrites whole pages; state changes key by key, so small pages write less (48 is H2's own choice).
    private static final int KEYS_PER_PAGE = 24;

    // H2 finds the newest chunk from the one that its file header names, and writes a new header only behind a chunk
    // that has taken the space of that one. Killed between the two, it falls back to whatever stands at the end of the
    // file. A header this near, in versions, names a chunk whose space is kept.
    private static final int HEADER_AGE = StateStore.COMMITS_KEPT - 2;
    private static final String HEADER_VERSION = "version";
    private static final long HEADER_LONG_AGO = -100;

    private final String fileName;
    private final MVStore store;
    private final MVMap<byte[], byte[]> meta;
    private final MVMap<byte[], byte[]> lanes;
    private final MVMap<byte[], byte[]> drops;
    private final MVMap<byte[], byte[]> ahead;
    private final Map<StoreTable, BulkMap> tables = new EnumMap<>(StoreTable.class);

    private StoreFile(String fileName, MVStore store) {
        this.fileName = fileName;
        this.store = store;
        meta = openMap("meta");
        lanes = openMap("lanes");
        drops = openMap("drops");
        ahead = openMap("ahead");
        for (StoreTable table : StoreTable.values()) {
            tables.put(table, store.openMap(table.mapName(), new BulkMap.Builder()));
        }
    }

    static StoreFile open(Path directory, StoreSpec spec) throws IOException {
        String fileName = spec.filePrefix() + directory.resolve(NAME);
        if (!exists(directory, spec)) {
            create(directory, spec);
        }
        MVStore store = openStore(fileName, spec);
        try {
            if (store.getStoreVersion() != LAYOUT) {
                throw new StoreFormatException(
                        "The store " + fileName + " has layout version " + store.getStoreVersion()
                                + ", this version reads " + LAYOUT + "; open it with the version that wrote it");
            }
            StoreFile file = new StoreFile(fileName, store);
            file.checkFormat();
            return file;
        } catch (Throwable e) {
            store.closeImmediately();
            throw e;
        }
    }

    private static void create(Path directory, StoreSpec spec) throws IOException {
        StoreFile file = begin(directory, spec);
        try {
            file.meta.put(FORMAT, ValueFrame.of(FORMAT, FORMAT_VALUE));
            file.store.commit();
            file.store.sync();
        } finally {
            file.close();
        }
        publish(directory, spec);
    }

    /** Whether the directory has a store's file. Looks at the name only. */
    static boolean exists(Path directory, StoreSpec spec) {
        StoreFileSystem.register();
        return FilePath.get(spec.filePrefix() + directory.resolve(NAME)).exists();
    }

    /**
     * A new, empty file under a name by which nobody opens it: {@link #publish} gives it the real one. It is not a store's
     * before its format is in it, so no commit of a part of what it is to hold can ever be taken for all of it.
     */
    static StoreFile begin(Path directory, StoreSpec spec) {
        discard(directory, spec);
        String fileName = spec.filePrefix() + directory.resolve(UNFINISHED);
        MVStore store = openStore(fileName, spec);
        try {
            store.setStoreVersion(LAYOUT);
            return new StoreFile(fileName, store);
        } catch (Throwable e) {
            store.closeImmediately();
            throw e;
        }
    }

    /** Puts the file that was begun, and is closed and durable, in the place of the store's file. */
    static void publish(Path directory, StoreSpec spec) throws IOException {
        FilePath.get(spec.filePrefix() + directory.resolve(UNFINISHED))
                .moveTo(FilePath.get(spec.filePrefix() + directory.resolve(NAME)), true);
        forceDirectory(directory, spec);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            forceDirectory(parent, spec);
        }
    }

    /** Removes a file that was begun and will not be published, if there is one. */
    static void discard(Path directory, StoreSpec spec) {
        StoreFileSystem.register();
        FilePath unfinished = FilePath.get(spec.filePrefix() + directory.resolve(UNFINISHED));
        if (unfinished.exists()) {
            unfinished.delete();
        }
    }

    /** Renames the file of a store that is not open, durably, to a name that nothing has yet. */
    static Path setAside(Path directory, StoreSpec spec) throws IOException {
        StoreFileSystem.register();
        FilePath path = FilePath.get(spec.filePrefix() + directory.resolve(NAME));
        for (int number = 1; ; number++) {
            Path aside = directory.resolve(NAME + ".damaged-" + number);
            FilePath target = FilePath.get(spec.filePrefix() + aside);
            if (!target.exists()) {
                path.moveTo(target, false);
                forceDirectory(directory);
                return aside;
            }
        }
    }

    private static MVStore openStore(String fileName, StoreSpec spec) {
        // autoCommitDisabled() stops the timer only; the buffer size must be 0 too, or large puts commit on their own.
        MVStore store = new MVStore.Builder()
                .fileName(fileName)
                .autoCommitDisabled()
                .autoCommitBufferSize(0)
                .cacheSize(spec.cacheMegabytes())
                .keysPerPage(KEYS_PER_PAGE)
                .open();
        if (store.getAutoCommitMemory() != 0 || store.getAutoCommitDelay() != 0) {
            store.closeImmediately();
            throw new StateStoreException("The store " + fileName + " would commit on its own (buffer "
                    + store.getAutoCommitMemory() + " bytes, delay " + store.getAutoCommitDelay()
                    + " ms); use the h2-mvstore version this library was built with");
        }
        store.setRetentionTime(spec.retentionMillis());
        // H2 counts on five older versions when it reuses space; fewer lead to chunks marked twice.
        store.setVersionsToKeep(StateStore.COMMITS_KEPT);
        return store;
    }

    private static void forceDirectory(Path directory, StoreSpec spec) throws IOException {
        StoreStorage storage = spec.storage();
        if (storage == null) {
            forceDirectory(directory);
        } else {
            storage.forceDirectory(directory);
        }
    }

    /** Makes the names in a directory of the file system durable. */
    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private MVMap<byte[], byte[]> openMap(String name) {
        return store.openMap(
                name,
                new MVMap.Builder<byte[], byte[]>().keyType(BytesType.INSTANCE).valueType(BytesType.INSTANCE));
    }

    private void checkFormat() {
        byte[] format = meta(FORMAT);
        if (format == null || KeyBytes.compare(format, FORMAT_VALUE) != 0) {
            throw new StoreFormatException("The file " + fileName + " is not a Fluxmark store; use another directory");
        }
    }

    MVMap<byte[], byte[]> meta() {
        return meta;
    }

    MVMap<byte[], byte[]> lanes() {
        return lanes;
    }

    MVMap<byte[], byte[]> drops() {
        return drops;
    }

    MVMap<byte[], byte[]> ahead() {
        return ahead;
    }

    BulkMap table(StoreTable table) {
        BulkMap map = tables.get(table);
        if (map == null) {
            throw new IllegalStateException("No map for table " + table);
        }
        return map;
    }

    MVStore store() {
        return store;
    }

    /** The number of the newest commit in the file. */
    long commitNumber() {
        byte[] number = meta(COMMIT);
        return number == null ? 0 : ByteBuffer.wrap(number).getLong();
    }

    /** Writes everything put since the last commit, all or nothing; durable once it is forced. */
    void commit(long number) {
        meta.put(
                COMMIT,
                ValueFrame.of(
                        COMMIT, ByteBuffer.allocate(Long.BYTES).putLong(number).array()));
        store.compact(COMPACT_FILL_RATE, COMPACT_BYTES);
        keepHeaderNear();
        store.commit();
    }

    /** Has H2 write its header again with this commit if that is some commits old, unless the commit goes to the end of the file. */
    private void keepHeaderNear() {
        FileStore<?> file = store.getFileStore();
        Map<String, Object> header = file.getStoreHeader();
        if (file.lastChunkVersion() - DataUtils.readHexLong(header, HEADER_VERSION, 0) >= HEADER_AGE) {
            header.put(HEADER_VERSION, HEADER_LONG_AGO);
        }
    }

    /** Makes the newest commit durable. */
    void force() {
        store.sync();
    }

    long unsavedBytes() {
        return store.getUnsavedMemory();
    }

    long fileBytes() {
        return FilePath.get(fileName).size();
    }

    /**
     * Closes without writing anything; what was put since the last commit is gone.
     *
     * <p>H2's orderly close is never used, because it marks the file as clean and the next opening then believes its
     * chunk list as it stands. After a cut in the middle of a commit that list can name a dead chunk whose space has
     * been given away; H2 notices when it recovers, but not behind the mark, and refuses the file ("Double mark"). An
     * unmarked file is always checked.
     */
    void close() {
        store.closeImmediately();
    }

    @Override
    public String toString() {
        return fileName;
    }

    static boolean isClosed(MVStoreException e) {
        return e.getErrorCode() == DataUtils.ERROR_CLOSED;
    }

    private byte @Nullable [] meta(byte[] key) {
        byte[] frame = meta.get(key);
        return frame == null ? null : ValueFrame.open("meta", key, frame);
    }
}
