/** What it costs to make a job durable. */
@NullMarked
package io.fluxmark.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
