package io.fluxmark.proof;

import io.fluxmark.log.EventLog;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * Runs a {@link LargeFiring} until it is through or killed. With each commit of the store it says how many rows have been
 * written ahead since it began.
 */
final class LargeFiringChild {

    static final String BEGUN = "begun";
    static final String AHEAD = "ahead ";
    static final String PEAK = "peak heap ";

    /** The most that was used at a commit, garbage included. */
    private static volatile long peak;

    private LargeFiringChild() {}

    /** @param args directory, number of keys, bytes of state */
    public static void main(String[] args) {
        Path directory = Path.of(args[0]);
        long stateBytes = Long.parseLong(args[2]);
        EventLog log = LargeFiring.openLog(directory);
        StoreSpec spec = StoreSpec.defaults()
                .stateBytes(stateBytes)
                .commitBytes(stateBytes)
                .cacheMegabytes((int) Math.max(1, stateBytes >> 20));
        StateStore store = StateStore.open(directory.resolve("state"), spec).block(LargeFiring.PATIENCE);
        store.commits()
                .doOnNext(commit -> peak = Math.max(peak, usedHeap()))
                .concatMap(commit -> store.info())
                .subscribe(info -> System.out.println(AHEAD + info.aheadRows()), closed -> {});
        System.out.println(BEGUN);
        new LargeFiring(Long.parseLong(args[1])).run(log, store).blockLast(LargeFiring.PATIENCE);
        System.out.println(AHEAD + store.info().block(LargeFiring.PATIENCE).aheadRows());
        System.out.println(PEAK + peak);
        store.close();
        log.close();
        System.exit(0);
    }

    private static long usedHeap() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
