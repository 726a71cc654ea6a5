/** The commands {@code fluxmark aggregate} and {@code fluxmark frontier}: windows over event files, for anyone to try. */
@NullMarked
package io.fluxmark.aggregate;

import org.jspecify.annotations.NullMarked;
