package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * What a windowed operator holds.
 *
 * @param watermark the watermark that events are judged by
 * @param openWindows windows, over all keys, that have not fired; sessions and count windows count per key
 * @param entries what is held, one entry for each key of each window or session; those within their allowed lateness too
 * @param next the open window that fires next; null without one, and of count windows, for which events decide
 */
record WindowStatus(long watermark, long openWindows, long entries, @Nullable TimeWindow next) {}
