/** The benchmarks under JMH, where each contender has a JVM of its own. */
@NullMarked
package io.fluxmark.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
