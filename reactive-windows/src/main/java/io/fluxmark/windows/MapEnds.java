package io.fluxmark.windows;

/** The first and the last entry of one key's map, and how many there are. Changed in place. */
final class MapEnds<M> {

    M first;
    M last;
    long size = 1;

    /** Of a map with one entry. */
    MapEnds(M only) {
        this.first = only;
        this.last = only;
    }

    MapEnds<M> copy() {
        MapEnds<M> copy = new MapEnds<>(first);
        copy.last = last;
        copy.size = size;
        return copy;
    }
}
