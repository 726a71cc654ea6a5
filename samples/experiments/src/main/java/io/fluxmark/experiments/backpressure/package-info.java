/** E10: a producer that could give a hundred times what its consumer takes. */
@NullMarked
package io.fluxmark.experiments.backpressure;

import org.jspecify.annotations.NullMarked;
