/** The pipeline under a driver that makes its output a function of its input. */
@NullMarked
package io.fluxmark.aggregate.run;

import org.jspecify.annotations.NullMarked;
