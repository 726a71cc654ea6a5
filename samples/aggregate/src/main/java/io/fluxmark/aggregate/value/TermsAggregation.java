package io.fluxmark.aggregate.value;

import io.fluxmark.windows.Aggregation;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes all terms of a window together.
 *
 * @param <T> the events
 */
public final class TermsAggregation<T> implements Aggregation<T, Cell[], Value> {

    private final List<Term> terms;
    private final Function<? super T, List<@Nullable Number>> numbers;

    /**
     * With what was asked for.
     *
     * @param numbers the values of an event, in the order of the terms
     */
    public TermsAggregation(List<Term> terms, Function<? super T, List<@Nullable Number>> numbers) {
        this.terms = terms;
        this.numbers = numbers;
    }

    @Override
    public Cell[] create() {
        Cell[] cells = new Cell[terms.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = terms.get(i).newCell();
        }
        return cells;
    }

    @Override
    public Cell[] add(Cell[] cells, T event) {
        List<@Nullable Number> values = numbers.apply(event);
        for (int i = 0; i < cells.length; i++) {
            cells[i].add(values.get(i));
        }
        return cells;
    }

    @Override
    public Cell[] merge(Cell[] first, Cell[] second) {
        for (int i = 0; i < first.length; i++) {
            first[i].merge(second[i]);
        }
        return first;
    }

    @Override
    public Value result(Cell[] cells) {
        return Value.of(terms, cells);
    }

    @Override
    public String toString() {
        return "aggregation of " + terms.stream().map(Term::text).toList();
    }
}
