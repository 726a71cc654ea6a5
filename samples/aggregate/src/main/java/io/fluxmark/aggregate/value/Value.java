package io.fluxmark.aggregate.value;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of a window: one number per term, null where there is no answer. Equal numbers are equal objects.
 *
 * @param terms what was asked for
 * @param numbers the answers, in the order of the terms
 */
public record Value(List<Term> terms, List<@Nullable Number> numbers) {

    static Value of(List<Term> terms, Cell[] cells) {
        List<@Nullable Number> numbers = new ArrayList<>(cells.length);
        for (Cell cell : cells) {
            numbers.add(cell.result());
        }
        return new Value(terms, Collections.unmodifiableList(numbers));
    }

    /** Writes it as an object whose members are named as the terms were asked for. */
    public void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        for (int i = 0; i < numbers.size(); i++) {
            json.writeFieldName(terms.get(i).text());
            Number number = numbers.get(i);
            if (number instanceof Long whole) {
                json.writeNumber(whole.longValue());
            } else if (number instanceof Double mean) {
                json.writeNumber(mean.doubleValue());
            } else if (number == null) {
                json.writeNull();
            } else {
                json.writeNumber(Numbers.decimal(number));
            }
        }
        json.writeEndObject();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < numbers.size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(terms.get(i).text())
                    .append('=')
                    .append(numbers.get(i));
        }
        return text.append('}').toString();
    }
}
