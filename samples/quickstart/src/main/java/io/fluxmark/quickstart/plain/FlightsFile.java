package io.fluxmark.quickstart.plain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Reads the flights file: a header, then one departure per line, in order of arrival. */
public final class FlightsFile {

    /** The file in this sample's resources. */
    public static final String RESOURCE = "/flights-2001-01-01_14.csv.gz";

    private static final String HEADER = "arrival_ms,event_ms,delay_min,distance_mi,origin,destination";

    private FlightsFile() {}

    /** All departures of the bundled file, in file order. */
    public static List<Flight> bundled() {
        try (InputStream packed = FlightsFile.class.getResourceAsStream(RESOURCE)) {
            if (packed == null) {
                throw new IllegalStateException(
                        RESOURCE + " is not on the class path: build the sample with its resources.");
            }
            return read(new GZIPInputStream(packed, 1 << 16));
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " can't be read", e);
        }
    }

    /** All departures of an unpacked file. */
    static List<Flight> read(InputStream csv) throws IOException {
        List<Flight> flights = new ArrayList<>();
        Map<String, String> airports = new HashMap<>();
        BufferedReader reader = new BufferedReader(new InputStreamReader(csv, StandardCharsets.US_ASCII), 1 << 16);
        String line = reader.readLine();
        if (!HEADER.equals(line)) {
            throw new IllegalArgumentException("The first line is '" + line + "': expected '" + HEADER + "'.");
        }
        while ((line = reader.readLine()) != null) {
            flights.add(parse(line, flights.size() + 1L, airports));
        }
        return flights;
    }

    private static Flight parse(String line, long row, Map<String, String> airports) {
        String[] fields = line.split(",", -1);
        if (fields.length != 6) {
            throw new IllegalArgumentException("Row " + row + " has " + fields.length + " fields, not 6: " + line);
        }
        try {
            return new Flight(
                    row,
                    Long.parseLong(fields[0]),
                    Long.parseLong(fields[1]),
                    Integer.parseInt(fields[2]),
                    Integer.parseInt(fields[3]),
                    airports.computeIfAbsent(fields[4], code -> code),
                    airports.computeIfAbsent(fields[5], code -> code));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Row " + row + " has a field that is no number: " + line, e);
        }
    }
}
