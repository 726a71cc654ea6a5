package io.fluxmark.quickstart;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fluxmark.quickstart.plain.Flight;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/** Flights as structured CloudEvents, one JSON object per line. Thread-safe. */
final class FlightEvents {

    /** The producer whose sequence is the row number, so that a repeated request appends nothing twice. */
    static final String PRODUCER = "flights-feeder";

    static final String MEDIA_TYPE = "application/x-ndjson";

    private static final JsonFactory JSON = new JsonFactory();
    private static final int BYTES_PER_EVENT = 384;

    private FlightEvents() {}

    static byte[] ndjson(List<Flight> flights) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(flights.size() * BYTES_PER_EVENT);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.setRootValueSeparator(null);
            for (Flight flight : flights) {
                write(json, flight);
                json.writeRaw('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A flight can't be written as JSON", e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, Flight flight) throws IOException {
        String row = Long.toString(flight.row());
        json.writeStartObject();
        json.writeStringField("specversion", "1.0");
        json.writeStringField("id", row);
        json.writeStringField("source", "flights");
        json.writeStringField("type", "departure");
        json.writeStringField("time", Instant.ofEpochMilli(flight.eventMillis()).toString());
        json.writeStringField("partitionkey", flight.origin());
        json.writeStringField("producerid", PRODUCER);
        json.writeStringField("sequence", row);
        json.writeObjectFieldStart("data");
        json.writeNumberField("row", flight.row());
        json.writeNumberField("arrivalMillis", flight.arrivalMillis());
        json.writeNumberField("eventMillis", flight.eventMillis());
        json.writeNumberField("delayMinutes", flight.delayMinutes());
        json.writeNumberField("distanceMiles", flight.distanceMiles());
        json.writeStringField("origin", flight.origin());
        json.writeStringField("destination", flight.destination());
        json.writeEndObject();
        json.writeEndObject();
    }
}
