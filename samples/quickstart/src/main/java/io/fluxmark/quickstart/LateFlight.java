package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.Judgement;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A flight that comes after its hour has fired and before its allowed lateness is over, so that it corrects a result.
 *
 * @param airport the busiest of the hour's airports
 * @param hourMillis start of the hour, epoch ms
 */
record LateFlight(String airport, long hourMillis) {

    private static final long HOUR = Screen.HOUR.toMillis();
    private static final long HALF_AN_HOUR = HOUR / 2;
    private static final int DELAY_MINUTES = 300;

    /** One that fits to where the live job stands after these flights; null if no hour takes corrections then. */
    static @Nullable LateFlight after(List<Flight> flights, PlainPartitions partitions, DemoSettings settings) {
        long delay = settings.delay().toMillis();
        long lateness = settings.lateness().toMillis();
        Judgement judgement = Judgement.of(flights, partitions, delay, lateness, HOUR);
        Map<String, Long> busy = flights.stream()
                .filter(flight ->
                        isCorrectable(flight, judgement.lastWatermark(partitions.of(flight.origin())), lateness))
                .collect(Collectors.groupingBy(Flight::origin, Collectors.counting()));
        return busy.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(airport -> new LateFlight(
                        airport.getKey(), newestFiredHour(judgement.lastWatermark(partitions.of(airport.getKey())))))
                .orElse(null);
    }

    private static boolean isCorrectable(Flight flight, long watermark, long latenessMillis) {
        long hour = newestFiredHour(watermark);
        return Math.floorDiv(flight.eventMillis(), HOUR) * HOUR == hour && watermark < hour + HOUR - 1 + latenessMillis;
    }

    /** The last hour that a watermark has closed. */
    private static long newestFiredHour(long watermark) {
        return Math.floorDiv(watermark + 1, HOUR) * HOUR - HOUR;
    }

    String hour() {
        return Instant.ofEpochMilli(hourMillis).toString();
    }

    /** The flight as a structured CloudEvent. */
    String json() {
        long eventMillis = hourMillis + HALF_AN_HOUR;
        return String.format(
                "{\"specversion\":\"1.0\",\"id\":\"late-1\",\"source\":\"you\",\"type\":\"departure\","
                        + "\"partitionkey\":\"%s\",\"data\":{\"row\":0,\"arrivalMillis\":%d,\"eventMillis\":%d,"
                        + "\"delayMinutes\":%d,\"distanceMiles\":0,\"origin\":\"%s\",\"destination\":\"YOU\"}}",
                airport, eventMillis + DELAY_MINUTES * 60_000L, eventMillis, DELAY_MINUTES, airport);
    }
}
