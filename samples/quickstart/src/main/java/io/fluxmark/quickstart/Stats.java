package io.fluxmark.quickstart;

/**
 * What is known about one airport and window.
 *
 * @param departures how many flights
 * @param averageDelay their mean delay in minutes
 */
public record Stats(long departures, double averageDelay) {}
