/** Event time, watermarks and windows as Reactor transformers: the elements, the operators and the facade. */
@NullMarked
package io.fluxmark.windows;

import org.jspecify.annotations.NullMarked;
