package io.fluxmark.windows;

/**
 * A source says that it is idle (it holds no watermark back) or, with {@code idle} false, that it is active again.
 * Never encoded as a magic watermark.
 *
 * @param idle whether the source is idle from here on
 */
public record Idle<T>(boolean idle) implements StreamElement<T> {}
