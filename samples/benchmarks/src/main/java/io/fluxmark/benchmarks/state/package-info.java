/** State that is far larger than the heap. */
@NullMarked
package io.fluxmark.benchmarks.state;

import org.jspecify.annotations.NullMarked;
