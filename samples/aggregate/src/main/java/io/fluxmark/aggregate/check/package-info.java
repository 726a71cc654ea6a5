/** A second opinion: the batch result, computed plainly, and the output held against it. */
@NullMarked
package io.fluxmark.aggregate.check;

import org.jspecify.annotations.NullMarked;
