package io.fluxmark.state;

import io.fluxmark.windows.StateHeader;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The header of one operator's state in the store: compared when the state is opened, written with the first barrier
 * where it says more than what is recorded. Confined to the lane.
 *
 * <pre>
 * byte     version (1)
 * strings  for each part its name and what it says, in the order of names, each as {@link KeyBytes} has strings
 * </pre>
 *
 * <p>Before there were headers, the ids of the key and accumulator codecs were recorded under a key of their own; they are
 * compared as well, and give way to the header.
 */
final class StoredHeader {

    static final String KEY_CODEC = "key codec";
    static final String ACCUMULATOR_CODEC = "accumulator codec";
    static final String EMITTED_CODEC = "emitted codec";

    private static final byte VERSION = 1;

    private final String operator;
    private final boolean replacesCodecs;

    /** What is to be written, null once it is. */
    private @Nullable StateHeader unwritten;

    private StoredHeader(String operator, boolean replacesCodecs, @Nullable StateHeader unwritten) {
        this.operator = operator;
        this.replacesCodecs = replacesCodecs;
        this.unwritten = unwritten;
    }

    /** Compares {@code header} with what is recorded; fails with {@link StateStoreException} where they contradict. */
    static StoredHeader check(LaneSession session, String operator, StateHeader header) {
        byte[] codecs = session.get(StoreTable.STATE, PaneKeys.codecs(operator));
        byte[] headed = session.get(StoreTable.STATE, PaneKeys.header(operator));
        Map<String, String> recorded = new TreeMap<>();
        if (codecs != null) {
            KeyReader ids = new KeyReader(codecs);
            recorded.put(KEY_CODEC, ids.readString());
            recorded.put(ACCUMULATOR_CODEC, ids.readString());
        }
        if (headed != null) {
            recorded.putAll(decode(operator, headed));
        }
        requireAlike(session, operator, recorded, header.parts());
        Map<String, String> all = new TreeMap<>(recorded);
        all.putAll(header.parts());
        boolean isWritten = headed != null && codecs == null && all.equals(recorded);
        return new StoredHeader(operator, codecs != null, isWritten ? null : new StateHeader(all));
    }

    private static void requireAlike(
            LaneSession session, String operator, Map<String, String> recorded, Map<String, String> asked) {
        StringJoiner before = new StringJoiner(", ");
        StringJoiner now = new StringJoiner(", ");
        recorded.forEach((name, said) -> {
            String says = asked.getOrDefault(name, said);
            if (!says.equals(said)) {
                before.add(name + " " + said);
                now.add(name + " " + says);
            }
        });
        if (before.length() > 0) {
            throw new StateStoreException("The state of operator " + operator + " of job " + session.job()
                    + " was written with " + before + ", and is to be read with " + now
                    + "; use what wrote it again, or a new operator or job name");
        }
    }

    /** Adds the header to the transaction of the first barrier. */
    void flush(LaneTransaction transaction) {
        StateHeader header = unwritten;
        if (header == null) {
            return;
        }
        if (replacesCodecs) {
            transaction.remove(StoreTable.STATE, PaneKeys.codecs(operator));
        }
        transaction.put(StoreTable.STATE, PaneKeys.header(operator), encode(header));
        unwritten = null;
    }

    private static byte[] encode(StateHeader header) {
        KeyBytes bytes = KeyBytes.key().add(VERSION);
        header.parts().forEach((name, says) -> bytes.add(name).add(says));
        return bytes.toBytes();
    }

    private static Map<String, String> decode(String operator, byte[] bytes) {
        KeyReader in = new KeyReader(bytes);
        byte version = in.readByte();
        if (version != VERSION) {
            throw new StoreFormatException("The header of operator " + operator + " has layout " + version
                    + ", this version reads " + VERSION + "; use the version that wrote it");
        }
        Map<String, String> parts = new TreeMap<>();
        while (!in.atEnd()) {
            parts.put(in.readString(), in.readString());
        }
        return parts;
    }
}
