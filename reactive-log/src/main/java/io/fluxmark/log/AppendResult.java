package io.fluxmark.log;

/**
 * Where a record is.
 *
 * @param partition its partition
 * @param offset its offset; for a duplicate the offset of the first append
 * @param duplicate whether the record had been appended before and nothing was stored now
 */
public record AppendResult(int partition, long offset, boolean duplicate) {}
