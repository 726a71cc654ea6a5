package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Scannable;
import reactor.core.publisher.Mono;

/** An operator that makes a watermark, and can say who holds it. */
interface WatermarkSource extends Scannable {

    /** Thread-safe; answered whatever the demand, and also when the stream is over. */
    Mono<WatermarkOrigin> origin();

    /**
     * The next such operator upstream of {@code operator}; null where there is none, or something on the way does not say
     * what is above it.
     */
    static @Nullable WatermarkSource above(Scannable operator) {
        return operator.parents()
                .filter(WatermarkSource.class::isInstance)
                .map(WatermarkSource.class::cast)
                .findFirst()
                .orElse(null);
    }

    /** The number of the one partition that a lane reads, or 0. */
    static int onlyPartition(LaneContext lane) {
        List<Integer> partitions = lane.partitions();
        return partitions.size() == 1 ? partitions.get(0) : 0;
    }
}
