package io.fluxmark.sinks;

/**
 * A committed row that is to be delivered.
 *
 * @param number its number in the lane, the same at each delivery
 * @param bytes the row
 * @param repeated whether it was committed before this run of the job, and may have been delivered then
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record OutboxRow(long number, byte[] bytes, boolean repeated) {}
