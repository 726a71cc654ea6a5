package io.fluxmark.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.core.Disposable;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Who needs what of a log. Thread-safe. */
final class RetentionFloors {

    private static final Logger LOG = Loggers.getLogger(RetentionFloors.class);

    private final List<RetentionFloor> floors = new CopyOnWriteArrayList<>();

    /** Adds one until the result is disposed of. */
    Disposable add(RetentionFloor floor) {
        floors.add(floor);
        return () -> floors.remove(floor);
    }

    /** The lowest offset of a partition that anybody needs, 0 if somebody cannot tell. */
    long lowestNeeded(PartitionId id) {
        long lowest = RetentionFloor.NOTHING;
        for (RetentionFloor each : floors) {
            try {
                lowest = Math.min(lowest, each.lowestNeeded(id.topic(), id.partition()));
            } catch (RuntimeException e) {
                LOG.error("a retention floor failed; nothing of " + id + " is deleted", e);
                return 0;
            }
        }
        return lowest;
    }
}
