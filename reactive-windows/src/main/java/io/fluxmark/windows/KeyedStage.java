package io.fluxmark.windows;

/**
 * A stage of a pipeline that keeps state of keys, as data: windows, or a function over keyed events.
 *
 * @param operator the name of its operator, which counters, watermarks and explanations have too
 * @param keyCodec id of the codec of its keys
 * @param windows the windows, as {@link WindowSpec#toString} says them; empty of a function
 * @param allowedLatenessMillis of the windows, ms; 0 of a function
 * @param function id of the aggregation, or of the function; empty where it has none
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
}
