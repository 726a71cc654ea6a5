package io.fluxmark.aggregate.run;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Watermark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a run has done.
 *
 * @param counters over all lanes, with the lines that were rejected before
 * @param lastWatermark the watermark before the end of the input moved it
 * @param openWindows windows that have not fired
 * @param stateEntries what the windows hold
 * @param notNumbers values of aggregated fields that are no numbers
 */
public record Summary(Counters counters, long lastWatermark, long openWindows, long stateEntries, long notNumbers) {

    /** The summary as one JSON object. */
    public ObjectNode toJson() {
        ObjectNode json = new JsonMapper().createObjectNode();
        json.put("ingested", counters.get(Counter.INGESTED));
        json.put("accepted", counters.accepted());
        json.put("onTime", counters.get(Counter.ON_TIME));
        json.put("refired", counters.get(Counter.REFIRED));
        json.put("dropped", counters.get(Counter.DROPPED));
        json.put("side", counters.get(Counter.SIDE));
        json.put("rejected", counters.get(Counter.REJECTED));
        json.put("unassigned", counters.get(Counter.UNASSIGNED));
        json.put("duplicates", counters.get(Counter.DUPLICATES));
        json.put("acceptedAssignments", counters.get(Counter.ACCEPTED_ASSIGNMENTS));
        json.put("lateAssignments", counters.get(Counter.LATE_ASSIGNMENTS));
        json.put("partial", counters.get(Counter.PARTIAL));
        json.put("fires", fires());
        json.put("firesEarly", counters.get(Counter.FIRES_EARLY));
        json.put("firesOnTime", counters.get(Counter.FIRES_ON_TIME));
        json.put("firesLate", counters.get(Counter.FIRES_LATE));
        json.put("retractions", counters.get(Counter.RETRACTIONS));
        json.put("unchanged", counters.get(Counter.UNCHANGED));
        json.put("merges", counters.get(Counter.MERGES));
        json.put("watermark", Watermark.END);
        json.put("lastWatermark", lastWatermark);
        json.put("openWindows", openWindows);
        json.put("stateEntries", stateEntries);
        json.put("notNumbers", notNumbers);
        json.put("sumHolds", counters.sumHolds());
        return json;
    }

    /** Emissions that are no retractions. */
    public long fires() {
        return counters.get(Counter.FIRES_EARLY)
                + counters.get(Counter.FIRES_ON_TIME)
                + counters.get(Counter.FIRES_LATE);
    }

    /** Writes it to {@code file}. */
    public void write(Path file) throws IOException {
        Files.write(file, (toJson().toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** What is missing from the results, in one line; empty when nothing is. */
    public String losses() {
        StringBuilder text = new StringBuilder();
        add(text, counters.get(Counter.REJECTED), "rejected");
        add(text, counters.get(Counter.DROPPED), "dropped as too late");
        add(text, counters.get(Counter.SIDE), "too late, to the side output");
        add(text, counters.get(Counter.PARTIAL), "too late for some of their windows");
        add(text, counters.get(Counter.UNASSIGNED), "in no window");
        add(text, counters.get(Counter.DUPLICATES), "seen before");
        add(text, notNumbers, "values that are no numbers");
        return text.length() == 0 ? "" : String.format("of %,d events %s", counters.get(Counter.INGESTED), text);
    }

    private static void add(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(text.length() == 0 ? "" : ", ").append(String.format("%,d %s", count, what));
        }
    }
}
