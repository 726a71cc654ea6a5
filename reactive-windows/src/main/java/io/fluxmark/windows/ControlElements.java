package io.fluxmark.windows;

/** What operators have in common in dealing with control elements. */
final class ControlElements {

    private ControlElements() {}

    /** A control element carries its type only as a phantom. */
    @SuppressWarnings("unchecked")
    static <T> StreamElement<T> retype(StreamElement<?> control) {
        if (control instanceof EventBatch<?>) {
            throw new IllegalArgumentException("a run of events keeps its type");
        }
        return (StreamElement<T>) control;
    }
}
