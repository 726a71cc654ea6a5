/** E3: what waiting for late events buys, and what it costs. */
@NullMarked
package io.fluxmark.experiments.frontier;

import org.jspecify.annotations.NullMarked;
