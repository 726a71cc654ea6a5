package io.fluxmark.windows;

import java.util.HashMap;
import java.util.Map;

/** All states of a function in a lane, by name. Confined to the lane. */
final class ProcessStates<K> {

    private record Open(StateDescriptor<?> descriptor, KeyedState<?> state) {}

    private final String operator;
    private final Map<String, Open> states = new HashMap<>();
    private final KeyedState<?>[] all;

    ProcessStates(
            ProcessDefinition<?, K, ?> definition, StateBackend backend, Moment<K> moment, LiveCounters counters) {
        this.operator = definition.name();
        for (StateDescriptor<?> descriptor : definition.process().states()) {
            StatePlace<K> place = new StatePlace<>(
                    backend,
                    operator + "/" + descriptor.name(),
                    StateHeader.EMPTY, // the timers have that of the function
                    definition.keyCodec(),
                    moment,
                    counters);
            states.put(descriptor.name(), new Open(descriptor, descriptor.open(place)));
        }
        this.all = states.values().stream().map(Open::state).toArray(KeyedState<?>[]::new);
    }

    /** What a call uses a state with. */
    @SuppressWarnings("unchecked") // the descriptor is the one, or says the same as the one, that has opened the state
    <H> H handle(StateDescriptor<H> descriptor) {
        Open open = states.get(descriptor.name());
        if (open == null) {
            throw new IllegalArgumentException("operator " + operator + " has no state " + descriptor + " among "
                    + states.keySet() + ": list it in KeyedProcess.states");
        }
        if (open.descriptor != descriptor && !open.descriptor.says().equals(descriptor.says())) {
            throw new IllegalArgumentException(
                    "operator " + operator + " has a state " + open.descriptor + " and was asked for " + descriptor
                            + ": use the one constant in KeyedProcess.states and in calls");
        }
        return (H) open.state.handle();
    }

    boolean isDue(long watermark) {
        for (KeyedState<?> state : all) {
            if (state.isDue(watermark)) {
                return true;
            }
        }
        return false;
    }

    void sweep(long watermark) {
        for (KeyedState<?> state : all) {
            state.sweep(watermark);
        }
    }

    void flush(StateTransaction transaction) {
        for (KeyedState<?> state : all) {
            state.flush(transaction);
        }
    }

    /** How many entries are held, those included that have expired and are not gone yet. */
    long entries() {
        long entries = 0;
        for (KeyedState<?> state : all) {
            entries += state.entries();
        }
        return entries;
    }

    /** How many places the indexes of deadlines hold. */
    long deadlines() {
        long deadlines = 0;
        for (KeyedState<?> state : all) {
            deadlines += state.deadlines();
        }
        return deadlines;
    }
}
