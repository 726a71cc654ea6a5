package io.fluxmark.windows;

import java.time.Duration;

/**
 * A stage of a pipeline that keeps state of keys, as data: windows, a join, a function over keyed events, or what takes duplicates
 * out.
 *
 * @param operator the name of its operator, which counters, watermarks and explanations have too
 * @param keyCodec id of the codec of its keys
 * @param windows the windows, as {@link WindowSpec#toString} says them, or what a join joins; of duplicates, for how long they are told;
 *     empty of a function
 * @param allowedLatenessMillis of the windows, ms; 0 of the others
 * @param function id of the aggregation, or of the function; empty where there is none
 */
public record KeyedStage(
        String operator, String keyCodec, String windows, long allowedLatenessMillis, String function) {

    static KeyedStage of(String operator, KeyCodec<?> keys, WindowSpec windows, Aggregation<?, ?, ?> aggregation) {
        String id = aggregation.id();
        return new KeyedStage(
                operator, keys.id(), windows.toString(), windows.allowedLatenessMillis(), id == null ? "" : id);
    }

    static KeyedStage of(String operator, KeyCodec<?> keys, KeyedProcess<?, ?, ?> process) {
        String id = process.id();
        return new KeyedStage(operator, keys.id(), "", 0, id == null ? "" : id);
    }

    static KeyedStage ofDuplicates(String operator, KeyCodec<?> ids, long timeToLive) {
        return new KeyedStage(operator, ids.id(), "duplicates within " + Duration.ofMillis(timeToLive), 0, "");
    }

    static KeyedStage ofJoin(String operator, KeyCodec<?> keys, String says) {
        return new KeyedStage(operator, keys.id(), says, 0, "");
    }
}
