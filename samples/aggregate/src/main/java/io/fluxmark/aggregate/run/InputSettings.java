package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.input.InputFormat;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.aggregate.value.TimeUnitText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where events come from, and what their fields mean.
 *
 * @param file a file, or a dash for standard input
 * @param format the format, or null to guess it
 * @param time the event time
 * @param unit how that is written; null where the option was not given
 * @param arrival when the event came in, epoch ms; null without
 * @param sortBy the order in which events are handed in; null for that of the file
 * @param keys the key, of one field or several; none for one key for all
 * @param ids what tells events from their duplicates, of one field or several; none where all count
 * @param partitionBy the partition; null where all are in partition 0
 * @param partitions how many there are
 * @param terms whose fields are read as numbers
 * @param keepsOrigin whether an event keeps its whole record
 */
public record InputSettings(
        String file,
        @Nullable InputFormat format,
        Field time,
        @Nullable TimeUnitText unit,
        @Nullable Field arrival,
        @Nullable Field sortBy,
        List<Field> keys,
        List<Field> ids,
        @Nullable Field partitionBy,
        int partitions,
        List<Term> terms,
        boolean keepsOrigin) {

    /** Every field that the records should have. */
    List<Field> fields() {
        List<Field> all = new ArrayList<>(keys);
        all.addAll(ids);
        all.add(time);
        for (Field optional : new @Nullable Field[] {arrival, sortBy, partitionBy}) {
            if (optional != null) {
                all.add(optional);
            }
        }
        terms.stream().map(Term::field).filter(Objects::nonNull).forEach(all::add);
        return all;
    }
}
