/** E12: sessions that never time out, and what bounds them. */
@NullMarked
package io.fluxmark.experiments.sessions;

import org.jspecify.annotations.NullMarked;
