/** Keyed state, input positions and results in one MVStore file, committed together. */
@NullMarked
package io.fluxmark.state;

import org.jspecify.annotations.NullMarked;
