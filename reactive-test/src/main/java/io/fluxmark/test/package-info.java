/** Tools for users' tests: batch equivalence, disorder, crashes. */
@NullMarked
package io.fluxmark.test;

import org.jspecify.annotations.NullMarked;
