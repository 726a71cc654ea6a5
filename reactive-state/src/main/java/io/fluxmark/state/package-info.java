/**
 * Keyed state, input positions and results in one MVStore file, committed together.
 *
 * <p>{@link io.fluxmark.state.StateStore} is the file. A lane of a job opens a {@link io.fluxmark.state.LaneSession},
 * which fences off all earlier ones, and hands in one {@link io.fluxmark.state.LaneTransaction} for each barrier; what
 * is acknowledged is forced to disk, what is not is there as a whole or not at all.
 * {@link io.fluxmark.state.LaneStateBackend} keeps the operators' panes over such a session.
 *
 * <p>What is lost, and how it is told:
 *
 * <ul>
 *   <li>a transaction refused before anything of it was written: its {@code Mono} errors, counted in
 *       {@link io.fluxmark.state.StoreInfo#refusedTransactions()};
 *   <li>transactions in flight when writing fails: their {@code Mono}s error with
 *       {@link io.fluxmark.state.StoreReopenedException}, counted in {@link io.fluxmark.state.StoreInfo#reopenings()};
 *   <li>commit numbers that a slow subscriber of {@link io.fluxmark.state.StateStore#commits()} did not ask for in time:
 *       skipped, the newest is kept; the numbers tell how many.
 * </ul>
 */
@NullMarked
package io.fluxmark.state;

import org.jspecify.annotations.NullMarked;
