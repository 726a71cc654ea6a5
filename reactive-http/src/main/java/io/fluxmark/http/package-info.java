/** The HTTP edge: CloudEvents in, committed results out. */
@NullMarked
package io.fluxmark.http;

import org.jspecify.annotations.NullMarked;
