/** The main job, end to end: real flights over HTTP into the log, windows by event time, one transaction per step. */
@NullMarked
package io.fluxmark.quickstart;

import org.jspecify.annotations.NullMarked;
