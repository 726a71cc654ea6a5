package io.fluxmark.log;

import java.nio.file.Path;
import java.util.Objects;

/**
 * One file of a partition.
 *
 * @param file where it lies
 * @param baseOffset the offset of its first record
 * @param endOffset the offset after its last one
 * @param bytes how long it is up to there
 */
public record SegmentInfo(Path file, long baseOffset, long endOffset, long bytes) {

    public SegmentInfo {
        Objects.requireNonNull(file, "file");
    }
}
