package io.fluxmark.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Real files over which the power fails at the n-th change. What the disk then holds is written elsewhere: forced contents and
 * directory entries for certain, of the rest any subset of 512-byte blocks, lengths and names.
 */
final class PowerCutStorage implements LogStorage {

    private static final int BLOCK = 512;

    private final LogStorage files = LogStorage.files();
    private final Path root;
    private final Map<Path, byte[]> forced = new HashMap<>();
    private final Set<Path> forcedNames = new HashSet<>();
    /** What durable names stood for before a deletion or renaming that is not durable yet. */
    private final Map<Path, byte[]> earlier = new HashMap<>();
    /** Of renamings that are not durable yet: what the new name's file was called before, if that name was durable. */
    private final Map<Path, Path> renamed = new HashMap<>();

    private final Random random;
    private int changesLeft;
    private boolean off;

    /** What is there already is durable. */
    PowerCutStorage(Path root, int changesUntilCut, Random random) throws IOException {
        this.root = root;
        this.changesLeft = changesUntilCut;
        this.random = random;
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(each -> !each.equals(root)).toList()) {
                forcedNames.add(path);
                if (Files.isRegularFile(path)) {
                    forced.put(path, Files.readAllBytes(path));
                }
            }
        }
    }

    boolean isOff() {
        return off;
    }

    /** What a machine would find after the cut. */
    void writeRemains(Path target) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted().toList()) {
                Path copy = target.resolve(root.relativize(path).toString());
                boolean there = path.equals(root) || forcedNames.contains(path) || random.nextBoolean();
                if (!there || !Files.isDirectory(copy.getParent())) {
                    continue;
                }
                if (earlier.containsKey(path) && random.nextBoolean()) {
                    Files.write(copy, earlier.get(path));
                    Path from = renamed.get(path);
                    if (from != null) {
                        // Renaming is atomic: if the new name has its old file, the old name has the new one.
                        Files.write(target.resolve(root.relativize(from).toString()), forced.get(path));
                    }
                } else if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else {
                    Files.write(copy, remains(forced.getOrDefault(path, new byte[0]), Files.readAllBytes(path)));
                }
            }
        }
        for (Map.Entry<Path, byte[]> deleted : earlier.entrySet()) {
            Path copy = target.resolve(root.relativize(deleted.getKey()).toString());
            if (!Files.exists(deleted.getKey()) && Files.isDirectory(copy.getParent()) && random.nextBoolean()) {
                Files.write(copy, deleted.getValue());
            }
        }
    }

    private void remember(Path path) {
        if (forcedNames.contains(path)) {
            earlier.putIfAbsent(path, forced.getOrDefault(path, new byte[0]));
        }
    }

    private byte[] remains(byte[] durable, byte[] current) {
        if (Arrays.equals(durable, current)) {
            return durable;
        }
        // The length is metadata of its own: anything between the forced and the current one.
        int shorter = Math.min(durable.length, current.length);
        int longer = Math.max(durable.length, current.length);
        int length = random.nextInt(4) == 0 ? shorter : shorter + random.nextInt(longer - shorter + 1);
        if (random.nextInt(4) == 0) {
            length = current.length;
        }
        byte[] result = Arrays.copyOf(durable, length);
        for (int at = 0; at < length; at += BLOCK) {
            int end = Math.min(length, at + BLOCK);
            if (random.nextBoolean() && at < current.length) {
                System.arraycopy(current, at, result, at, Math.min(end, current.length) - at);
            }
        }
        return result;
    }

    private void change() throws IOException {
        if (off || changesLeft-- <= 0) {
            off = true;
            throw new IOException("power is off");
        }
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public boolean createDirectory(Path directory) throws IOException {
        change();
        return files.createDirectory(directory);
    }

    @Override
    public LogFile openForRead(Path file) throws IOException {
        return files.openForRead(file);
    }

    @Override
    public LogFile openForWrite(Path file) throws IOException {
        change();
        return new Powered(file, files.openForWrite(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        change();
        remember(to);
        if (forcedNames.contains(from)) {
            renamed.put(to, from);
        } else {
            renamed.remove(to);
        }
        files.rename(from, to);
        // A file that was forced stays forced under its new name, if the name survives.
        byte[] content = forced.remove(from);
        if (content != null) {
            forced.put(to, content);
        }
        forcedNames.remove(from);
    }

    @Override
    public void delete(Path file) throws IOException {
        change();
        remember(file);
        files.delete(file);
        forcedNames.remove(file);
        forced.remove(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        change();
        files.list(directory).forEach(name -> forcedNames.add(directory.resolve(name)));
        earlier.keySet().removeIf(path -> directory.equals(path.getParent()));
        renamed.keySet().removeIf(path -> directory.equals(path.getParent()));
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return files.lock(file);
    }

    private final class Powered implements LogFile {

        private final Path path;
        private final LogFile file;

        Powered(Path path, LogFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            try {
                change();
            } catch (IOException e) {
                // The cut comes in the middle of this write.
                source.limit(source.position() + random.nextInt(source.remaining() + 1));
                file.write(source, position);
                throw e;
            }
            file.write(source, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            change();
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            change();
            forced.put(path, Files.readAllBytes(path));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
