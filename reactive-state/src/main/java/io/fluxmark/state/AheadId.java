package io.fluxmark.state;

/**
 * The transaction that rows were written ahead of. The generation tells it from one of the same number that a later
 * session begins after this one was lost.
 *
 * @param lane the number that stands for the lane in rows
 * @param generation the session that wrote
 * @param transaction the transaction within the lane
 */
record AheadId(int lane, long generation, long transaction) {}
