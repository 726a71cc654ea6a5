package io.fluxmark.log;

/** Where in a segment a batch begins, and with which offset. */
record BatchPosition(long offset, long position) {}
