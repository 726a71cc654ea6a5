package io.fluxmark.quickstart;

import io.fluxmark.windows.WindowResult;
import java.time.Instant;

/**
 * One change of one airport and hour, as the query shows it.
 *
 * @param kind ON_TIME, RETRACT or LATE
 * @param revision 0 for the hour's first value; a retraction has that of the value it takes back
 */
record LiveRow(String airport, String hour, String kind, int revision, long departures, double averageDelay) {

    static LiveRow of(WindowResult<String, Stats> result) {
        return new LiveRow(
                result.key(),
                Instant.ofEpochMilli(result.window().start()).toString(),
                result.kind().name(),
                result.revision(),
                result.value().departures(),
                result.value().averageDelay());
    }
}
