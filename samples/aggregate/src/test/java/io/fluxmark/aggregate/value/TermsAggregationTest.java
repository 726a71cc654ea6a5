package io.fluxmark.aggregate.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TermsAggregationTest {

    private static final List<Term> TERMS = Term.parse("count,sum:v,min:v,max:v,avg:v");
    private static final int CASES = "thorough".equals(System.getProperty("fluxmark.tier")) ? 2_000 : 300;

    private final TermsAggregation<String> aggregation = new TermsAggregation<>(TERMS, TermsAggregationTest::numbers);

    private static List<Number> numbers(String text) {
        Number number = Numbers.parse(text);
        return Arrays.asList(null, number, number, number, number);
    }

    private Value of(List<String> values) {
        Cell[] cells = aggregation.create();
        for (String value : values) {
            cells = aggregation.add(cells, value);
        }
        return aggregation.result(cells);
    }

    @Test
    void neitherTheOrderNorThePartsOfASumChangeIt() {
        Random random = new Random(7);
        String[] pool = {
            "0.1", "0.10", "1e-30", "-3", "9223372036854775807", "-9223372036854775808", "2.5", "1e25", "7", "7.0", ""
        };
        for (int c = 0; c < CASES; c++) {
            List<String> values = new ArrayList<>();
            int size = 1 + random.nextInt(12);
            for (int i = 0; i < size; i++) {
                values.add(pool[random.nextInt(pool.length)]);
            }
            Value expected = of(values);
            Collections.shuffle(values, random);
            int cut = random.nextInt(size + 1);
            Cell[] first = aggregation.create();
            Cell[] second = aggregation.create();
            for (int i = 0; i < size; i++) {
                aggregation.add(i < cut ? first : second, values.get(i));
            }
            assertThat(of(values)).isEqualTo(expected);
            assertThat(aggregation.result(aggregation.merge(first, second))).isEqualTo(expected);
        }
        System.out.println("TermsAggregationTest: " + CASES + " cases, seed 7");
    }

    @Test
    void sumsAreExactAndMeansRoundedOnce() {
        assertThat(of(List.of("0.1", "0.2")).numbers()).hasToString("[2, 0.3, 0.1, 0.2, 0.15]");
        assertThat(of(List.of("10", "0", "0")).numbers().get(4)).isEqualTo(10.0 / 3);
        assertThat(of(List.of("9223372036854775807", "1", "-1")).numbers().get(1))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(of(List.of("1.5", "0.50")).numbers().get(1)).isEqualTo(2L);
    }

    @Test
    void nothingHasACountAndASumButNoMean() {
        assertThat(of(List.of()).numbers()).containsExactly(0L, 0L, null, null, null);
        assertThat(of(List.of("none")).numbers()).containsExactly(1L, 0L, null, null, null);
    }

    @Test
    void whatIsNoNumberIsNone() {
        assertThat(Numbers.parse("12a")).isNull();
        assertThat(Numbers.parse("-")).isNull();
        assertThat(Numbers.parse("NaN")).isNull();
        assertThat(Numbers.parse("1e100000")).isNull();
        assertThat(Numbers.parse("-0012")).isEqualTo(-12L);
        assertThat(Numbers.parse("1.50")).isEqualTo(Numbers.parse("1.5"));
    }

    @Test
    void wrongTermsAreNamedWithTheRemedy() {
        assertThatThrownBy(() -> Term.parse("sum")).hasMessageContaining("sum:FIELD");
        assertThatThrownBy(() -> Term.parse("median:v"))
                .hasMessageContaining("'median:v'")
                .hasMessageContaining("avg:F");
        assertThatThrownBy(() -> Term.parse("count,count")).hasMessageContaining("twice");
        assertThatThrownBy(() -> Term.parse("")).hasMessageContaining("count");
    }
}
