package io.fluxmark.state;

/**
 * A run of changes of a pane: what is needed to know on the heap about it. Immutable once its filter is filled.
 *
 * @param id the transaction that wrote it; later ones are newer
 * @param entries how many entries it has
 * @param filter says which keys it certainly does not have
 */
record PaneRun(long id, int entries, RunFilter filter) {}
