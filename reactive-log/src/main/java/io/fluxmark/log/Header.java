package io.fluxmark.log;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A named value carried beside a record's key and value.
 *
 * @param name any text; {@value #PRODUCER} and {@value #SEQUENCE} are reserved for {@link ProducerSequence}
 * @param value the bytes, or null for none; neither copied nor to be modified once given away
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, see below
public record Header(String name, byte @Nullable [] value) {

    /** Reserved header: the producer's name, UTF-8. */
    public static final String PRODUCER = "fluxmark-producer";

    /** Reserved header: the producer's sequence, eight bytes big-endian. */
    public static final String SEQUENCE = "fluxmark-sequence";

    public Header {
        Objects.requireNonNull(name, "name");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Header that && name.equals(that.name) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return "Header[" + name + ", " + (value == null ? "no value" : value.length + " bytes") + "]";
    }
}
