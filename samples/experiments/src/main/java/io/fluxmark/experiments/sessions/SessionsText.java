package io.fluxmark.experiments.sessions;

import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about sessions that never time out, around the measured tables. */
final class SessionsText {

    private static final Prediction ENTRIES = new Prediction(640_000, 700_000);

    /** By how much the number of entries may still rise, % per minute. */
    private static final Prediction GROWTH = new Prediction(-0.1, 0.1);

    private static final double HEAP = 512 << 20;

    private SessionsText() {}

    static List<String> of(Table runs, Table heap, Table file, Table rest, long ceiling) {
        Table living = runs.where("run", Sessions.LIVING);
        double low = living.number("settled_low");
        double high = living.number("settled_high");
        double growth = living.number("growth_percent_per_minute");
        double rate = living.number("per_second") / OneShotKeys.PREDICTED_PER_SECOND;
        boolean nothingLeft = runs.numbers("left").stream().allMatch(left -> left == 0) && asBefore(rest);
        boolean exact = runs.where("run", run -> run.startsWith("ceiling")).numbers("most_entries").stream()
                .allMatch(most -> most == ceiling);
        Section section = new Section("E12");
        section.paragraph(
                "Measured: **with a time-to-live of 60 s the number of live entries stands between %,d and %,d (%s)"
                        + " and grows by %.4f %% per minute (%s).** After the watermark has passed everything nothing is"
                        + " left, in state or index, before or after a restart: %s. A ceiling of %,d entries was exact,"
                        + " looked at after every event that came at it: %s.",
                (long) low,
                (long) high,
                Prediction.verdict(ENTRIES.holds(low / rate) && ENTRIES.holds(high / rate)),
                growth,
                GROWTH.verdict(growth),
                Prediction.verdict(nothingLeft),
                ceiling,
                Prediction.verdict(exact));
        section.paragraph(
                "Every key comes once, 10,000 new ones per second of event time, B = 5 s, and a gap of 3 h. \"Left\" is"
                        + " what is still held when the watermark has passed all sessions.");
        section.table(
                runs,
                "run",
                "on the heap",
                "keys",
                "keys",
                "seconds",
                "event time, s",
                "most_entries",
                "most entries",
                "settled_low",
                "standing from",
                "settled_high",
                "to",
                "expired",
                "expired",
                "refused",
                "refused",
                "results",
                "results",
                "left",
                "left");
        heap(section, heap);
        file(section, file, rest);
        section.paragraph(
                "**For a user.** A session definition whose keys do not come back is a leak with a name: give it a"
                        + " time-to-live, and the state is rate x (time-to-live + B), whatever the length of the run. A"
                        + " ceiling is the guard for the day on which the rate is not what it was; refusing keeps the old"
                        + " keys, closing the earliest keeps the new ones, and both count what they do.");
        section.figure("Entries held", "E12-state.png").figure("Size of the store file", "E12-file.png");
        return section.lines();
    }

    /** Whether a store that all is past for holds what one that has never seen a key does. */
    private static boolean asBefore(Table rest) {
        return rest.where("when", when -> !when.equals("while keys come")).rows().stream()
                        .map(row -> row.subList(2, row.size()))
                        .distinct()
                        .count()
                == 1;
    }

    private static void heap(Section section, Table heap) {
        double bytes = heap.numbers(HeapPerEntry.BYTES).get(heap.rows().size() - 1);
        section.paragraph(
                "Without a bound an entry takes %.0f bytes of heap (live, after a full collection, at %,d entries):"
                        + " 512 MB would be full after %.1f M keys, or %.1f minutes.",
                bytes,
                heap.numbers("entries").get(heap.rows().size() - 1).longValue(),
                HEAP / bytes / 1e6,
                HEAP / bytes / OneShotKeys.PREDICTED_PER_SECOND / 60);
    }

    private static void file(Section section, Table file, Table rest) {
        section.paragraph(
                "With the state in a store, 64 MB of overlay and a barrier every second it goes on from the file."
                        + " Entries in the file are those of the sessions and of the index of deadlines; the two that an"
                        + " unused store has name the codecs.");
        section.table(
                rest, "run", "in a store", "when", "when", "entries", "sessions held", "stored", "entries in the file");
        section.paragraph(
                "The file grew to %.0f MB without a bound and to %.0f MB with the time-to-live.",
                largest(file, Sessions.UNBOUNDED), largest(file, Sessions.LIVING));
    }

    private static double largest(Table file, String run) {
        return file.where("run", run).numbers("file_mb").stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
    }
}
