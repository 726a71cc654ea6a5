/** Event files of several formats, read record by record in constant memory. */
@NullMarked
package io.fluxmark.aggregate.input;

import org.jspecify.annotations.NullMarked;
