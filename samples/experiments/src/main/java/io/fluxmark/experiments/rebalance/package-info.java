/** E8: what a rebalance stops. */
@NullMarked
package io.fluxmark.experiments.rebalance;

import org.jspecify.annotations.NullMarked;
