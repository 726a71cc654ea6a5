/** E5: how often a job had better commit, where it is killed now and then. */
@NullMarked
package io.fluxmark.experiments.interval;

import org.jspecify.annotations.NullMarked;
