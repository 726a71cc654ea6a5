/** E11: lag and latency of a job under load. */
@NullMarked
package io.fluxmark.experiments.load;

import org.jspecify.annotations.NullMarked;
