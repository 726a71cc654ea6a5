package io.fluxmark.sinks;

import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoredLane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A job as a store has it, without the program that runs it.
 *
 * @param name the job's name
 * @param description what it was when it ran last; null where no run has said so
 * @param lanes what its lanes have committed, in order
 * @param sinks the sinks it has written to, by table and name
 */
public record StoredJob(
        String name, @Nullable JobDescription description, List<CommittedLane> lanes, List<StoredSink> sinks) {

    /** Copies the lists. */
    public StoredJob {
        Objects.requireNonNull(name, "name");
        lanes = List.copyOf(lanes);
        sinks = List.copyOf(sinks);
    }

    /** The jobs of a snapshot by name, to be read while that is held. */
    public static Flux<StoredJob> all(StoreSnapshot snapshot) {
        return Flux.defer(() -> {
            Map<String, List<StoredLane>> jobs = new TreeMap<>();
            snapshot.lanes().forEach(lane -> jobs.computeIfAbsent(lane.job(), job -> new ArrayList<>())
                    .add(lane));
            return Flux.fromIterable(jobs.entrySet()).concatMap(job -> committed(snapshot, job.getValue())
                    .collectList()
                    .map(lanes ->
                            new StoredJob(job.getKey(), description(job.getValue()), lanes, sinks(job.getValue()))));
        });
    }

    /** What lanes have committed. */
    static Flux<CommittedLane> committed(StoreSnapshot snapshot, List<StoredLane> lanes) {
        return Flux.fromIterable(lanes).concatMap(lane -> snapshot.longs(lane.job(), lane.lane())
                .collectList()
                .map(values -> CommittedLane.of(lane.job(), lane.lane(), values)));
    }

    /** Lanes commit apart, so the first may not have been told yet what the job is now; it says what it was. */
    private static @Nullable JobDescription description(List<StoredLane> lanes) {
        for (StoredLane lane : lanes) {
            JobDescription description = StoredDescription.of(lane.job(), lane.record());
            if (description != null) {
                return description;
            }
        }
        return null;
    }

    /** The sinks of lanes, each once. */
    static List<StoredSink> sinks(List<StoredLane> lanes) {
        TreeSet<StoredSink> sinks = new TreeSet<>();
        lanes.forEach(lane -> sinks.addAll(StoredSink.of(lane.record())));
        return List.copyOf(sinks);
    }
}
