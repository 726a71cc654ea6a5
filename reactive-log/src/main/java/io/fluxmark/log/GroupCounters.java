package io.fluxmark.log;

import java.util.concurrent.atomic.LongAdder;

/** What happened in a group since the log was opened. Thread-safe. */
final class GroupCounters {
    final LongAdder rebalances = new LongAdder();
    final LongAdder refusedCommits = new LongAdder();
    final LongAdder refusedAcknowledgements = new LongAdder();
    final LongAdder failedCommits = new LongAdder();
    final LongAdder fencedMembers = new LongAdder();
    final LongAdder resets = new LongAdder();
    final LongAdder lostRecords = new LongAdder();
    final LongAdder assignorFailures = new LongAdder();
}
