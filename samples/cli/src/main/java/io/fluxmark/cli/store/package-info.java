/** The {@code fluxmark store} commands. */
@NullMarked
package io.fluxmark.cli.store;

import org.jspecify.annotations.NullMarked;
