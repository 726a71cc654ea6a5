/** The base classes of operators, shared by the modules; not for users, and subject to change without notice. */
@NullMarked
package io.fluxmark.windows.internal;

import org.jspecify.annotations.NullMarked;
