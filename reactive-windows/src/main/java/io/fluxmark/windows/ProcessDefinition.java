package io.fluxmark.windows;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Everything a user's function over keyed events is made of; immutable and shared by its lanes.
 *
 * @param failures where goes what the function fails on; null where that ends the stream
 */
record ProcessDefinition<T, K, R>(
        String name,
        Function<? super T, ? extends K> key,
        KeyCodec<K> keyCodec,
        KeyedProcess<K, ? super T, R> process,
        @Nullable LateSink<? super T> late,
        @Nullable FailureSink failures) {

    ProcessDefinition {
        Set<String> names = new HashSet<>();
        for (StateDescriptor<?> state :
                Objects.requireNonNull(process.states(), () -> process + " returned null as its states")) {
            if (!names.add(state.name())) {
                throw new IllegalArgumentException(
                        process + " has two states named " + state.name() + ": name one of them differently");
            }
        }
    }

    /** The same for one key group, whose state has another name, and whose late events and failures go on in the stream. */
    ProcessDefinition<T, K, R> inGroup(String group) {
        return new ProcessDefinition<>(
                group,
                key,
                keyCodec,
                process,
                late == null ? null : GroupLane.lateAside(),
                failures == null ? null : GroupLane.failuresAside());
    }

    /** What the state of the function says of itself. */
    StateHeader header() {
        StateHeader header = StateHeader.of("process").with("function", process.id());
        for (StateDescriptor<?> state : process.states()) {
            header = header.with("state " + state.name(), state.says());
        }
        return header;
    }
}
