/** Exactly-once jobs: a log source, a pipeline and a transactional sink. */
@NullMarked
package io.fluxmark.sinks;

import org.jspecify.annotations.NullMarked;
