package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.value.Numbers;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.aggregate.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answers over a list of events, computed by looking at all of them. */
final class PlainAggregate {

    private PlainAggregate() {}

    static Value of(List<Term> terms, List<Event> events) {
        List<@Nullable Number> answers = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            List<BigDecimal> values = new ArrayList<>();
            for (Event event : events) {
                Number number = event.numbers().get(i);
                if (number != null) {
                    values.add(Numbers.decimal(number));
                }
            }
            answers.add(answer(terms.get(i).kind(), events.size(), values));
        }
        return new Value(terms, answers);
    }

    private static @Nullable Number answer(Term.Kind kind, int events, List<BigDecimal> values) {
        BigDecimal sum = values.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        return switch (kind) {
            case COUNT -> (Number) (long) events;
            case SUM -> Numbers.normal(sum);
            case MIN ->
                values.stream().min(BigDecimal::compareTo).map(Numbers::normal).orElse(null);
            case MAX ->
                values.stream().max(BigDecimal::compareTo).map(Numbers::normal).orElse(null);
            case AVG ->
                values.isEmpty()
                        ? null
                        : (Number) sum.divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL128)
                                .doubleValue();
        };
    }

    /** What two emissions that each hold only what is new add up to; null where that can't be known. */
    static @Nullable Number sum(Term.Kind kind, @Nullable Number a, @Nullable Number b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return switch (kind) {
            case COUNT, SUM -> Numbers.normal(Numbers.decimal(a).add(Numbers.decimal(b)));
            case MIN -> Numbers.compare(a, b) <= 0 ? a : b;
            case MAX -> Numbers.compare(a, b) >= 0 ? a : b;
            case AVG -> null;
        };
    }
}
