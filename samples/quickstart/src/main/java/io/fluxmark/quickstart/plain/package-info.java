/**
 * The same questions answered without Fluxmark: loops and hash maps over the whole file.
 *
 * <p>Nothing here uses a class of the library, so that agreement means something.
 */
@NullMarked
package io.fluxmark.quickstart.plain;

import org.jspecify.annotations.NullMarked;
