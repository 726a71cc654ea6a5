package io.fluxmark.experiments.frontier;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.fluxmark.experiments.measure.Arrival;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The three inputs of the experiment. */
final class Subjects {

    static final String EXPONENTIAL = "exponential";
    static final String BIMODAL = "bimodal";
    static final String FLIGHTS = "flights";
    static final long SEED = 3;

    /** Events per second of event time: what the prediction is about, and what will do elsewhere. */
    static final int RATE = 1_000;

    static final int THIN_RATE = 100;
    static final int QUICK_RATE = 5;

    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final Duration WINDOW = ofSeconds(60);
    private static final Duration LONGEST_OFFLINE = ofHours(8);

    /** The flights file begins at midnight; its times are moved on by 1,200 weeks, to where all inputs begin. */
    private static final long FIRST_DAY = 978_307_200_000L;

    private static final long MOVED = Playback.START - FIRST_DAY;

    /** The last two days of flights are there for the longest delay to pass the judged ones. */
    private static final int JUDGED_DAYS = 12;

    private static final int DAYS_AFTER = 2;

    private Subjects() {}

    /** Delays with a mean of a minute. */
    static Subject exponential(Scale scale) {
        Duration longest = ofMinutes(10);
        LatenessLaw law = new LatenessLaw.Exponential(60_000);
        return new Subject(
                synthetic(EXPONENTIAL, law, ofHours(1), longest, scale.of(RATE, QUICK_RATE)),
                synthetic(EXPONENTIAL, law, ofHours(1), longest, scale.of(THIN_RATE, QUICK_RATE)),
                law,
                WINDOW,
                List.of(ofSeconds(10), WINDOW, ofMinutes(10)),
                Stream.of(0, 15, 30, 60, 90, 120, 180, 240, 300, 600)
                        .map(Duration::ofSeconds)
                        .toList(),
                ofSeconds(30),
                ofMinutes(30));
    }

    /** Nine in ten events come soon; one in ten is offline for hours. */
    static Subject bimodal(Scale scale) {
        LatenessLaw law = new LatenessLaw.Mixed(
                new LatenessLaw.Exponential(30_000),
                new LatenessLaw.Uniform(ofHours(2).toMillis(), LONGEST_OFFLINE.toMillis()),
                0.1);
        return new Subject(
                synthetic(BIMODAL, law, ofHours(1), LONGEST_OFFLINE, scale.of(RATE, QUICK_RATE)),
                synthetic(BIMODAL, law, ofHours(1), LONGEST_OFFLINE, scale.of(THIN_RATE, QUICK_RATE)),
                law,
                WINDOW,
                List.of(WINDOW, ofMinutes(10)),
                Stream.of(0, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 10_800, 21_600, 28_800)
                        .map(Duration::ofSeconds)
                        .toList(),
                ofMinutes(5),
                LONGEST_OFFLINE);
    }

    /** Departures of two weeks, by airport. */
    static Subject flights(Scale scale) {
        long until = Playback.START + scale.of(JUDGED_DAYS, 1) * DAY;
        List<Arrival> arrivals = FlightsFile.bundled().stream()
                .map(Subjects::arrival)
                .filter(arrival -> arrival.arrivalMillis() < until + DAYS_AFTER * DAY)
                .toList();
        Input input = new Input(FLIGHTS, arrivals, Playback.START, until);
        return new Subject(
                input,
                input,
                null,
                ofHours(1),
                List.of(ofMinutes(15), ofHours(1), ofHours(6), ofHours(24)),
                Stream.of(0, 5, 10, 30, 60, 120, 180, 360, 480, 1_440, 1_680)
                        .map(Duration::ofMinutes)
                        .toList(),
                ofMinutes(30),
                ofHours(28));
    }

    private static Arrival arrival(Flight flight) {
        return new Arrival(flight.origin(), flight.eventMillis() + MOVED, flight.arrivalMillis() + MOVED);
    }

    /** Events for {@code judged} and as long after it as the longest delay needs to see it through. */
    static Input synthetic(String name, LatenessLaw law, Duration judged, Duration longest, int perSecond) {
        Duration span = judged.plus(longest).plus(ofMinutes(20));
        return new Input(
                name,
                SyntheticArrivals.of(law, span.toMillis(), perSecond, SEED),
                Playback.START,
                Playback.START + judged.toMillis());
    }
}
