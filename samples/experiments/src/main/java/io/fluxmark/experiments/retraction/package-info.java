/** E14: totals of corrected results, with and without taking the old ones back. */
@NullMarked
package io.fluxmark.experiments.retraction;

import org.jspecify.annotations.NullMarked;
