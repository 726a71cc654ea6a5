package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;

/** The events of both streams in a window. Changed in place; confined to the lane. */
final class JoinLists<L, R> {

    final List<L> left = new ArrayList<>();
    final List<R> right = new ArrayList<>();
}
