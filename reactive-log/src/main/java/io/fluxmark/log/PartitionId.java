package io.fluxmark.log;

/** Which partition of a log. */
record PartitionId(String topic, int partition) {}
