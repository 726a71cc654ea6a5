/** Completeness against latency, for several delays at once. */
@NullMarked
package io.fluxmark.aggregate.frontier;

import org.jspecify.annotations.NullMarked;
