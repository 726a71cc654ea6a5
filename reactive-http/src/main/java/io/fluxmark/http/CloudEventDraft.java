package io.fluxmark.http;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Header;
import io.fluxmark.log.ProducerSequence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of one event as they come, in any order, and the record they make. Not thread-safe; used once.
 *
 * <p>Everything that depends on a member that may come later ({@code datacontenttype} after {@code data}) is decided at the end.
 */
final class CloudEventDraft {

    /** Bounds the search for repeated names, which is linear. */
    private static final int MAX_MEMBERS = 64;

    private static final int MAX_SEQUENCE_DIGITS = 64;
    private static final byte[] NOTHING = {};
    private static final Header SPEC_VERSION = new Header("ce_specversion", utf8("1.0"));
    private static final Header JSON = new Header("content-type", utf8("application/json"));

    private final List<String> seen = new ArrayList<>(12);
    private final List<Header> headers = new ArrayList<>(12);
    private @Nullable String id;
    private @Nullable String source;
    private @Nullable String type;
    private @Nullable String subject;
    private @Nullable String partitionKey;
    private @Nullable String contentType;
    private @Nullable String producer;
    private long sequence = -1;
    private boolean versioned;
    private byte @Nullable [] data;
    private boolean dataIsString;
    private byte @Nullable [] binary;

    /** Each member's name passes here first, null values included. */
    void see(String name) {
        for (int i = 0; i < seen.size(); i++) {
            if (seen.get(i).equals(name)) {
                throw new CloudEventException(
                        "member " + Attributes.quoted(name) + " is given twice; send each one once");
            }
        }
        if (seen.size() == MAX_MEMBERS) {
            throw new CloudEventException(
                    "more than " + MAX_MEMBERS + " members in one event; move extension attributes into data");
        }
        seen.add(name);
    }

    void data(byte[] json, boolean isString) {
        data = json;
        dataIsString = isString;
    }

    void text(String name, String value) {
        switch (name) {
            case "id" -> id = required(name, value);
            case "source" -> source = required(name, value);
            case "type" -> type = required(name, value);
            case "specversion" -> version(value);
            case "subject" -> subject = required(name, value);
            case "partitionkey" -> partitionKey = required(name, value);
            case "datacontenttype" -> contentType = contentType(value);
            case "dataschema" -> required(name, value);
            case "time" -> time(value);
            case "producerid" -> producer = producer(value);
            case "sequence" -> sequence = sequence(value);
            case "data_base64" -> binary = binary(value);
            default -> extension(name, value);
        }
    }

    void integer(String name, String digits) {
        if (name.equals("sequence")) {
            sequence = sequence(digits);
            return;
        }
        checkExtension(name, "an integer");
        try {
            Integer.parseInt(digits);
        } catch (NumberFormatException e) {
            throw new CloudEventException("attribute " + name + " is " + Attributes.quoted(digits)
                    + ", beyond the 32 bits of a CloudEvents integer; send it as a string");
        }
        extension(name, digits);
    }

    void bool(String name, boolean value) {
        checkExtension(name, "a boolean");
        extension(name, String.valueOf(value));
    }

    /** Checks what concerns the event as a whole and builds the record. */
    AppendRecord toRecord(CloudEventParser parser) {
        if (!versioned) {
            throw missing("specversion");
        }
        String theId = present("id", id);
        String theSource = present("source", source);
        present("type", type);
        if ((producer == null) != (sequence < 0)) {
            throw new CloudEventException("producerid and sequence belong together, but "
                    + (producer == null ? "producerid" : "sequence") + " is missing; send both or neither");
        }
        byte[] value = value(parser);
        String key = partitionKey != null ? partitionKey : subject != null ? subject : theSource + "/" + theId;
        return new AppendRecord(
                AppendRecord.BY_KEY,
                utf8(key),
                value,
                headers,
                producer == null ? null : new ProducerSequence(producer, sequence));
    }

    private byte[] value(CloudEventParser parser) {
        if (data == null) {
            if (contentType != null) {
                headers.add(new Header("content-type", utf8(contentType)));
            }
            return binary == null ? NOTHING : binary;
        }
        if (binary != null) {
            throw new CloudEventException("both data and data_base64 are given; send one of them");
        }
        if (contentType == null) {
            headers.add(JSON);
            return data;
        }
        headers.add(new Header("content-type", utf8(contentType)));
        if (Attributes.isJson(contentType)) {
            return data;
        }
        if (!dataIsString) {
            throw new CloudEventException(
                    "data is not a string although datacontenttype is " + Attributes.quoted(contentType)
                            + "; send text as a string, bytes as data_base64, or declare application/json");
        }
        return plain(parser.text(data));
    }

    private static byte[] plain(String text) {
        byte[] bytes = utf8(text);
        // Encoding puts '?' for a lone surrogate: what was sent would be lost.
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (text.codePointAt(i) == c) {
                    throw new CloudEventException(
                            "data has a lone surrogate at index " + i + ", which is no text; send it as data_base64");
                }
                i++;
            }
        }
        return bytes;
    }

    private String required(String name, String value) {
        Attributes.checkNotEmpty(name, value);
        return extension(name, value);
    }

    private String extension(String name, String value) {
        Attributes.checkName(name);
        Attributes.checkText(name, value);
        headers.add(new Header("ce_".concat(name), utf8(value)));
        return value;
    }

    private void version(String value) {
        if (!value.equals("1.0")) {
            throw new CloudEventException("specversion is " + Attributes.quoted(value) + "; only \"1.0\" is supported");
        }
        versioned = true;
        headers.add(SPEC_VERSION);
    }

    private void time(String value) {
        if (!Rfc3339.isValid(value)) {
            throw new CloudEventException("time is " + Attributes.quoted(value)
                    + ", not an RFC 3339 timestamp with offset; send one like 2026-01-31T23:59:59.999Z");
        }
        extension("time", value);
    }

    private static String contentType(String value) {
        Attributes.checkNotEmpty("datacontenttype", value);
        Attributes.checkText("datacontenttype", value);
        return value;
    }

    private static String producer(String value) {
        Attributes.checkNotEmpty("producerid", value);
        Attributes.checkText("producerid", value);
        try {
            return new ProducerSequence(value, 0).producer();
        } catch (IllegalArgumentException e) {
            throw new CloudEventException("producerid: " + e.getMessage());
        }
    }

    private static long sequence(String digits) {
        boolean valid = !digits.isEmpty() && digits.length() <= MAX_SEQUENCE_DIGITS;
        for (int i = 0; i < digits.length() && valid; i++) {
            valid = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        if (valid) {
            try {
                return Long.parseLong(digits);
            } catch (NumberFormatException e) {
                valid = false;
            }
        }
        throw new CloudEventException("sequence is " + Attributes.quoted(digits)
                + "; send a decimal number from 0 to 9223372036854775807, as a string or an integer");
    }

    private static byte[] binary(String value) {
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            throw new CloudEventException(
                    "data_base64 is not Base64 (" + e.getMessage() + "); use the alphabet of RFC 4648 section 4");
        }
    }

    /** Integers and booleans are for extension attributes; those of the specification are strings. */
    private static void checkExtension(String name, String what) {
        switch (name) {
            case "id",
                    "source",
                    "type",
                    "specversion",
                    "subject",
                    "partitionkey",
                    "datacontenttype",
                    "dataschema",
                    "time",
                    "producerid",
                    "sequence",
                    "data_base64" ->
                throw new CloudEventException("attribute " + name + " is " + what + "; send a string");
            default -> {}
        }
    }

    private static String present(String name, @Nullable String value) {
        if (value == null) {
            throw missing(name);
        }
        return value;
    }

    private static CloudEventException missing(String name) {
        return new CloudEventException("required attribute " + name + " is missing");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
