/** Exact numbers, and the aggregations that can be asked for by name. */
@NullMarked
package io.fluxmark.aggregate.value;

import org.jspecify.annotations.NullMarked;
