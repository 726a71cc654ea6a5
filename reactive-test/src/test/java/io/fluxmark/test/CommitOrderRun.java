package io.fluxmark.test;

import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Counts what a {@link CommitOrder} costs: crashes it at random boundaries, lets each end, and counts the rows of each
 * record.
 *
 * @param order what was run
 * @param crashes how often
 * @param wrong how many of the crashes left wrong rows
 * @param duplicates rows too many, over all crashes
 * @param lost records without a row, over all crashes
 * @param records in each run
 */
record CommitOrderRun(CommitOrder order, int crashes, int wrong, long duplicates, long lost, int records, long seed) {

    /** The same numbers for the same arguments, but for what depends on threads. */
    static CommitOrderRun run(CommitOrder order, int records, int perCommit, int crashes, long seed, Path directory) {
        JobCase job = job(order, records, perCommit, seed);
        SimulatedDisk disk = SimulatedDisk.empty().recording();
        try (JobRig rig = JobRig.open(job, directory, disk)) {
            rig.finish();
        }
        Random random = new Random(seed);
        int wrong = 0;
        long duplicates = 0;
        long lost = 0;
        DiskReplay sizes = disk.replay();
        for (int crash = 0; crash < crashes; crash++) {
            DiskReplay replay = disk.replay();
            replay.advanceTo(random.nextInt(sizes.size() + 1));
            try (JobRig rig = JobRig.open(job, directory, replay.afterKill())) {
                rig.finish();
                Map<Long, Long> rows = rows(rig.store());
                long twice =
                        rows.values().stream().mapToLong(count -> count - 1).sum();
                long missing = (long) records - rows.size();
                duplicates += twice;
                lost += missing;
                wrong += twice + missing > 0 ? 1 : 0;
            }
        }
        return new CommitOrderRun(order, crashes, wrong, duplicates, lost, records, seed);
    }

    /** Records of 6 keys in 2 partitions. */
    static JobCase job(CommitOrder order, int records, int perCommit, long seed) {
        return JobCase.of(order)
                .input(CommitOrder.TOPIC, 2, CrashEvent.records(records, 6, seed))
                .pace(perCommit, 5);
    }

    /** How often each record became a row. */
    private static Map<Long, Long> rows(StateStore store) {
        Map<Long, Long> rows = new HashMap<>();
        StoredJob.collect(store.read(StoreTable.CHANGELOG, new byte[0], null))
                .forEach(entry -> rows.merge(ByteBuffer.wrap(entry.value()).getLong(), 1L, Long::sum));
        return rows;
    }

    @Override
    public String toString() {
        return order + ": " + crashes + " crashes of " + records + " records, " + wrong + " with wrong rows: "
                + duplicates + " duplicates, " + lost + " lost, seed " + seed;
    }
}
