package io.fluxmark.aggregate.value;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/** What one term of an aggregation holds for one window and key. Exact, and so independent of the order of events. */
public abstract class Cell {

    /** Adds the value of the term's field, null where the event has none. */
    abstract void add(@Nullable Number value);

    /** Adds what another cell of the same term holds. */
    abstract void merge(Cell other);

    /** The result; null where no event had a value, and there is no answer. */
    abstract @Nullable Number result();

    /** Counts events, whether or not they have values. */
    static final class Count extends Cell {

        private long count;

        @Override
        void add(@Nullable Number value) {
            count++;
        }

        @Override
        void merge(Cell other) {
            count += ((Count) other).count;
        }

        @Override
        Number result() {
            return count;
        }
    }

    /** Sums values, and divides by their number for the mean. */
    static final class Sum extends Cell {

        private final boolean mean;
        private long count;
        private long whole;

        /** What does not go into {@link #whole}: fractions, and what would overflow. */
        private BigDecimal rest = BigDecimal.ZERO;

        Sum(boolean mean) {
            this.mean = mean;
        }

        @Override
        void add(@Nullable Number value) {
            if (value != null) {
                count++;
                if (value instanceof Long addend) {
                    addWhole(addend);
                } else {
                    rest = rest.add(Numbers.decimal(value));
                }
            }
        }

        private void addWhole(long addend) {
            long sum = whole + addend;
            if (((whole ^ sum) & (addend ^ sum)) < 0) {
                rest = rest.add(BigDecimal.valueOf(whole));
                sum = addend;
            }
            whole = sum;
        }

        @Override
        void merge(Cell other) {
            Sum added = (Sum) other;
            count += added.count;
            addWhole(added.whole);
            rest = rest.add(added.rest);
        }

        @Override
        @Nullable
        Number result() {
            if (!mean) {
                return rest.signum() == 0 ? (Number) whole : Numbers.normal(rest.add(BigDecimal.valueOf(whole)));
            }
            if (count == 0) {
                return null;
            }
            BigDecimal sum = rest.add(BigDecimal.valueOf(whole));
            return sum.divide(BigDecimal.valueOf(count), MathContext.DECIMAL128).doubleValue();
        }
    }

    /** Keeps the smallest or largest value. */
    static final class Extreme extends Cell {

        private final int sign;
        private @Nullable Number extreme;

        Extreme(int sign) {
            this.sign = sign;
        }

        @Override
        void add(@Nullable Number value) {
            Number present = extreme;
            if (value != null && (present == null || Numbers.compare(value, present) * sign > 0)) {
                extreme = value;
            }
        }

        @Override
        void merge(Cell other) {
            add(((Extreme) other).extreme);
        }

        @Override
        @Nullable
        Number result() {
            return extreme;
        }
    }
}
