/** What the log costs, beside plain loops over files. */
@NullMarked
package io.fluxmark.benchmarks.log;

import org.jspecify.annotations.NullMarked;
