/** E6: how long a job takes to be where it was when it was killed. */
@NullMarked
package io.fluxmark.experiments.recovery;

import org.jspecify.annotations.NullMarked;
