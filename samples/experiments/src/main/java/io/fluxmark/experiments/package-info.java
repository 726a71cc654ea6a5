/** The experiments of the report: each one measures, writes CSV and plots, and fills its section. */
@NullMarked
package io.fluxmark.experiments;

import org.jspecify.annotations.NullMarked;
