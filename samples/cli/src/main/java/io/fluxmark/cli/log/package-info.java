/** The {@code fluxmark log} commands. */
@NullMarked
package io.fluxmark.cli.log;

import org.jspecify.annotations.NullMarked;
