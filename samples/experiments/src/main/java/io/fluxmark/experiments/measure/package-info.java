/** What the experiments share: files, tables, plots, and pipelines on a virtual clock. */
@NullMarked
package io.fluxmark.experiments.measure;

import org.jspecify.annotations.NullMarked;
