package io.fluxmark.sinks;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A hash of a multiset: the order in which items come does not matter, and each counts as often as it is there. Items are
 * hashed with SHA-256 and the hashes added, as four longs each; against accident, not against intent. Not thread-safe.
 */
final class HashSum {

    private static final int PARTS = 4;

    private final MessageDigest sha = sha256();
    private final long[] sums = new long[PARTS];
    private long items;

    void add(byte[] item) {
        ByteBuffer hash = ByteBuffer.wrap(sha.digest(item));
        for (int i = 0; i < PARTS; i++) {
            sums[i] += hash.getLong();
        }
        items++;
    }

    boolean isEmpty() {
        return items == 0;
    }

    byte[] total() {
        ByteBuffer all = ByteBuffer.allocate((PARTS + 1) * Long.BYTES).putLong(items);
        for (long sum : sums) {
            all.putLong(sum);
        }
        return sha.digest(all.array());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256, which every Java has to have", e);
        }
    }
}
