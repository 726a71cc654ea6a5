/** Benchmarks: our pipelines beside plain Java loops over the same events, in one run. */
@NullMarked
package io.fluxmark.benchmarks;

import org.jspecify.annotations.NullMarked;
