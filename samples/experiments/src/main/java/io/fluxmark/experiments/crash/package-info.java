/** A job in a process of its own that is killed, for the experiments that need it. */
@NullMarked
package io.fluxmark.experiments.crash;

import org.jspecify.annotations.NullMarked;
