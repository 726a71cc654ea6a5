/**
 * E13: how long a lane stands still for a checkpoint, measured; and what barriers would do that wait for each other or overtake data, in a
 * model ({@link io.fluxmark.experiments.barriers.InputsModel}): in Fluxmark they do neither.
 */
@NullMarked
package io.fluxmark.experiments.barriers;

import org.jspecify.annotations.NullMarked;
