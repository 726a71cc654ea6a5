/** E7: what an event costs in each kind of window. */
@NullMarked
package io.fluxmark.experiments.prices;

import org.jspecify.annotations.NullMarked;
