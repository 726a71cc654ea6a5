/** A durable partitioned log whose partitions are publishers. */
@NullMarked
package io.fluxmark.log;

import org.jspecify.annotations.NullMarked;
