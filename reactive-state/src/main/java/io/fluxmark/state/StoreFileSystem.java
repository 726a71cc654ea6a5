package io.fluxmark.state;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * The two file schemes a store file is opened through: {@code fluxckpt:} orders the writes ({@link SafeFileChannel}),
 * {@code fluxasync:} makes them immune to interrupts ({@link AsyncFileChannel}). The names are our own because schemes
 * are global to the JVM. The nested classes are public only because H2 creates them reflectively.
 */
final class StoreFileSystem {

    static final String SAFE = "fluxckpt";
    static final String ASYNC = "fluxasync";

    /** What a store file's path is prefixed with. */
    static final String PREFIX = SAFE + ":" + ASYNC + ":";

    private StoreFileSystem() {}

    static void register() {
        FilePath.register(new Safe());
        FilePath.register(new Async());
    }

    /** Orders writes over any other scheme. */
    public static final class Safe extends FilePathWrapper {

        /** For H2. */
        public Safe() {}

        @Override
        public String getScheme() {
            return SAFE;
        }

        @Override
        public FileChannel open(String mode) throws IOException {
            FileChannel base = getBase().open(mode);
            try {
                return SafeFileChannel.open(name, base);
            } catch (IOException | RuntimeException e) {
                base.close();
                throw e;
            }
        }
    }

    /** Interrupt-safe access to a file of the default file system. */
    public static final class Async extends FilePathWrapper {

        private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);
        private static final Set<OpenOption> READ_WRITE =
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);

        /** For H2. */
        public Async() {}

        @Override
        public String getScheme() {
            return ASYNC;
        }

        @Override
        public FileChannel open(String mode) throws IOException {
            Path file = Path.of(getBase().toString());
            AsynchronousFileChannel channel =
                    AsynchronousFileChannel.open(file, mode.equals("r") ? READ : READ_WRITE, null);
            try {
                return new AsyncFileChannel(channel, UninterruptibleReads.open(file));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        }
    }
}
