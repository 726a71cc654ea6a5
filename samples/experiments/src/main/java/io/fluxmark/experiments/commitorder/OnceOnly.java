package io.fluxmark.experiments.commitorder;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.StateDescriptor;
import io.fluxmark.windows.ValueState;
import java.time.Duration;
import java.util.List;

/** Lets an event through unless one of the same id has been let through within the time-to-live. Keyed by the id. */
final class OnceOnly implements KeyedProcess<Long, Long, Long> {

    private final StateDescriptor<ValueState<Long>> seen;

    OnceOnly(Duration timeToLive) {
        seen = StateDescriptor.value("seen", Codec.longs()).timeToLive(timeToLive);
    }

    @Override
    public void onEvent(Long event, ProcessContext<Long, Long> context) {
        ValueState<Long> before = context.state(seen);
        if (before.get() == null) {
            before.set(event);
            context.emit(event);
        }
    }

    @Override
    public List<StateDescriptor<?>> states() {
        return List.of(seen);
    }
}
