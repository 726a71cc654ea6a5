package io.fluxmark.windows;

/**
 * How far a source partition has been read.
 *
 * @param source the name of the source, for a log its topic
 * @param partition the partition, from 0
 * @param nextOffset the offset of the next record to read
 */
public record SourcePosition(String source, int partition, long nextOffset) {}
