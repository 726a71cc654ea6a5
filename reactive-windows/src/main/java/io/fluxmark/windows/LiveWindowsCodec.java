package io.fluxmark.windows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of the windows of one key.
 *
 * <pre>
 * byte   version (1)
 * int    number of windows; for each, the oldest first:
 *   long   start, end, largest timestamp, count, late
 *   int    revision
 *   bytes  accumulator: int length, then the bytes
 *   int    number of emissions that the receiver holds; for each:
 *     long   start, end, timestamp, late
 *     int    revision
 *     bytes  value: int length, then the bytes
 * </pre>
 *
 * @param emitted encodes emitted values; null where there are none
 */
record LiveWindowsCodec<K, A>(Codec<A> accumulators, @Nullable Codec<?> emitted) implements Codec<LiveWindows<K, A>> {

    private static final byte VERSION = 1;

    @Override
    public String id() {
        return "windows of " + accumulators.id();
    }

    @Override
    public byte[] encode(LiveWindows<K, A> windows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(80);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeInt(windows.size());
            for (LiveWindow<A> w = windows.oldest(); w != null; w = w.newer) {
                write(out, w);
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    private void write(DataOutputStream out, LiveWindow<A> window) throws IOException {
        out.writeLong(window.start);
        out.writeLong(window.end);
        out.writeLong(window.last);
        out.writeLong(window.count);
        out.writeLong(window.late);
        out.writeInt(window.revision);
        writeBytes(out, accumulators.encode(window.accumulator()));
        out.writeInt(window.emitted.size());
        for (Emitted each : window.emitted) {
            out.writeLong(each.start());
            out.writeLong(each.end());
            out.writeLong(each.timestamp());
            out.writeLong(each.late());
            out.writeInt(each.revision());
            writeBytes(out, values().encode(each.value()));
        }
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    @Override
    public LiveWindows<K, A> decode(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            byte version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException("the windows of a key have layout " + version
                        + ", this version reads " + VERSION + ": use the version that wrote them");
            }
            LiveWindows<K, A> windows = new LiveWindows<>();
            for (int left = in.readInt(); left > 0; left--) {
                windows.insert(windows.newest(), read(in));
            }
            return windows;
        } catch (IOException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are not the windows of a key", e);
        }
    }

    private LiveWindow<A> read(DataInputStream in) throws IOException {
        long start = in.readLong();
        long end = in.readLong();
        long last = in.readLong();
        long count = in.readLong();
        long late = in.readLong();
        int revision = in.readInt();
        LiveWindow<A> window = new LiveWindow<>(start, end, last, accumulators.decode(readBytes(in)));
        window.count = count;
        window.late = late;
        window.revision = revision;
        int held = in.readInt();
        if (held > 0) {
            List<Emitted> list = new ArrayList<>(held);
            for (int i = 0; i < held; i++) {
                list.add(readEmitted(in));
            }
            window.emitted = list;
        }
        return window;
    }

    private Emitted readEmitted(DataInputStream in) throws IOException {
        long start = in.readLong();
        long end = in.readLong();
        long timestamp = in.readLong();
        long late = in.readLong();
        int revision = in.readInt();
        return new Emitted(start, end, timestamp, revision, late, values().decode(readBytes(in)));
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("cut off");
        }
        return bytes;
    }

    @SuppressWarnings("unchecked") // the operator emits what its aggregation's result codec takes
    private Codec<Object> values() {
        if (emitted == null) {
            throw new IllegalStateException(
                    "windows with early results keep what they have emitted, and the aggregation"
                            + " has no codec for its results: give it one");
        }
        return (Codec<Object>) emitted;
    }
}
