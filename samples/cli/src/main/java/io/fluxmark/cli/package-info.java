/** The {@code fluxmark} command. */
@NullMarked
package io.fluxmark.cli;

import org.jspecify.annotations.NullMarked;
