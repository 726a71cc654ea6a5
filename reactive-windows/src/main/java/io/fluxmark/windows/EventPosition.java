package io.fluxmark.windows;

/**
 * Where an event stands in the source that it was read from.
 *
 * @param source the source's name, for a log the topic's
 * @param partition the partition, from 0
 * @param offset the offset of its record
 */
public record EventPosition(String source, int partition, long offset) {}
