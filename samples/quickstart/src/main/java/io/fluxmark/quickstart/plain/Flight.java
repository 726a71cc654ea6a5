package io.fluxmark.quickstart.plain;

/**
 * One departure.
 *
 * @param row the line of the file, counted from 1 after the header
 * @param arrivalMillis when the record came in, epoch ms
 * @param eventMillis the scheduled departure, epoch ms (local airport time, read as UTC)
 * @param delayMinutes how late the flight was; negative if it was early
 * @param distanceMiles length of the flight
 * @param origin airport of departure
 * @param destination airport of arrival
 */
public record Flight(
        long row,
        long arrivalMillis,
        long eventMillis,
        int delayMinutes,
        int distanceMiles,
        String origin,
        String destination) {}
