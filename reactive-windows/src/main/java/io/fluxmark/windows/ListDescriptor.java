package io.fluxmark.windows;

/** Declares a list for each key. */
final class ListDescriptor<E> extends StateDescriptor<ListState<E>> {

    private final Codec<E> elements;

    ListDescriptor(String name, long timeToLive, Codec<E> elements) {
        super(name, timeToLive);
        this.elements = elements;
    }

    @Override
    StateDescriptor<ListState<E>> withTimeToLive(long millis) {
        return new ListDescriptor<>(name, millis, elements);
    }

    @Override
    String kind() {
        return "list of " + elements.id();
    }

    @Override
    <K> KeyedState<ListState<E>> open(StatePlace<K> place) {
        return new KeyedList<>(place, elements, timeToLive);
    }
}
