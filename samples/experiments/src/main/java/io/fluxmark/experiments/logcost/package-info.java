/** E2: what the log costs. */
@NullMarked
package io.fluxmark.experiments.logcost;

import org.jspecify.annotations.NullMarked;
