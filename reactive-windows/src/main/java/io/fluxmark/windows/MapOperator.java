package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.CoreSubscriber;

/** Maps values; timestamps, watermarks and signs are shared with the input run. */
final class MapOperator<T, R> extends PassThroughOperator<StreamElement<T>, StreamElement<R>> {

    private final Function<? super T, ? extends R> mapper;

    MapOperator(CoreSubscriber<? super StreamElement<R>> actual, Function<? super T, ? extends R> mapper) {
        super(actual);
        this.mapper = mapper;
    }

    @Override
    protected StreamElement<R> apply(StreamElement<T> element) {
        if (!(element instanceof EventBatch<T> batch)) {
            return ControlElements.retype(element);
        }
        Object[] mapped = new Object[batch.size()];
        int i = 0;
        try {
            for (; i < mapped.length; i++) {
                mapped[i] = Objects.requireNonNull(mapper.apply(batch.value(i)), "the mapper returned null");
            }
        } catch (Throwable t) {
            FailedEvent.addTo(t, batch, i);
            throw t;
        }
        return new EventBatch<>(
                mapped,
                mapped.length,
                batch.timestamps,
                batch.before,
                batch.constantBefore,
                batch.after,
                batch.signs,
                batch.offsets);
    }
}
