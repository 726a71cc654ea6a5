package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Brings a store's file onto the {@link StoreStorage} given in its settings. H2 knows files by their names only, so the
 * storage is found by the directory, which one open store at a time can have.
 */
final class StorageFileSystem {

    static final String SCHEME = "fluxstorage";

    /** What a path is prefixed with: the order of writes is the store's own above any storage. */
    static final String PREFIX = StoreFileSystem.SAFE + ":" + SCHEME + ":";

    private static final Map<Path, StoreStorage> MOUNTS = new ConcurrentHashMap<>();

    private StorageFileSystem() {}

    /** Has the store of a directory use {@code storage}, or real files if there is none. */
    static void mount(Path directory, @Nullable StoreStorage storage) {
        if (storage != null) {
            FilePath.register(new Mounted());
            MOUNTS.put(directory, storage);
        }
    }

    /** The store of the directory is closed. */
    static void unmount(Path directory) {
        MOUNTS.remove(directory);
    }

    /** A file on the storage of its directory. Public only because H2 creates it reflectively. */
    public static final class Mounted extends FilePathWrapper {

        /** For H2. */
        public Mounted() {}

        @Override
        public String getScheme() {
            return SCHEME;
        }

        private Path path() {
            return Path.of(getBase().toString());
        }

        private @Nullable StoreStorage storage() {
            Path directory = path().getParent();
            return directory == null ? null : MOUNTS.get(directory);
        }

        private StoreStorage mounted() {
            StoreStorage storage = storage();
            if (storage == null) {
                throw new StoreClosedException("The store of " + path() + " is closed; open a new one", null);
            }
            return storage;
        }

        @Override
        public boolean exists() {
            return Files.isDirectory(path()) || mounted().exists(path());
        }

        @Override
        public boolean canWrite() {
            return true;
        }

        @Override
        public long size() {
            StoreStorage storage = storage();
            return storage == null ? 0 : storage.size(path());
        }

        @Override
        public void delete() {
            try {
                mounted().delete(path());
            } catch (IOException e) {
                throw new StateStoreException("Deleting " + path() + " failed; see the cause", e);
            }
        }

        @Override
        public void moveTo(FilePath target, boolean atomicReplace) {
            Path to = ((Mounted) target).path();
            try {
                mounted().rename(path(), to);
            } catch (IOException e) {
                throw new StateStoreException("Renaming " + path() + " to " + to + " failed; see the cause", e);
            }
        }

        @Override
        public FileChannel open(String mode) throws IOException {
            return new Channel(mounted().open(path()));
        }
    }

    private static final class Channel extends FileBaseDefault {

        private final StoreStorage.StoredFile file;

        Channel(StoreStorage.StoredFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        // Not synchronized as in the base class: positional transfers of several threads may overlap.
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int write(ByteBuffer source, long position) throws IOException {
            int length = source.remaining();
            file.write(source, position);
            return length;
        }

        @Override
        protected void implTruncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            return new DirectoryLock.Covered(this, position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
