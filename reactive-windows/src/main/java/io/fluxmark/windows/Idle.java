package io.fluxmark.windows;

/**
 * The stream is idle: all of its partitions have been silent for the {@linkplain WatermarkSpec#idleAfter time-out}, and it
 * holds no watermark back. With {@code idle} false it is active again: something follows. Never encoded as a magic
 * watermark; the watermark of an idle stream stands where it is (S30).
 *
 * @param idle whether the stream is idle from here on
 */
public record Idle<T>(boolean idle) implements StreamElement<T> {}
