/** E4: one partition of several falls silent. */
@NullMarked
package io.fluxmark.experiments.silence;

import org.jspecify.annotations.NullMarked;
