package io.fluxmark.aggregate.value;

import static io.fluxmark.aggregate.value.TimeUnitText.ISO;
import static io.fluxmark.aggregate.value.TimeUnitText.MS;
import static io.fluxmark.aggregate.value.TimeUnitText.S;
import static io.fluxmark.aggregate.value.TimeUnitText.US;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TimeUnitTextTest {

    @Test
    void whatIsFinerThanAMillisecondIsCutOffAlsoBeforeTheEpoch() {
        assertThat(MS.millis("1.9")).isEqualTo(1);
        assertThat(MS.millis("-0.1")).isEqualTo(-1);
        assertThat(S.millis("1521911720.865716")).isEqualTo(1_521_911_720_865L);
        assertThat(S.millis("1521911720.001")).isEqualTo(1_521_911_720_001L);
        assertThat(S.millis("-1.0001")).isEqualTo(-1_001);
        assertThat(US.millis("1521911720865716")).isEqualTo(1_521_911_720_865L);
        assertThat(US.millis("-1")).isEqualTo(-1);
        assertThat(ISO.millis("1969-12-31T23:59:59.9999Z")).isEqualTo(-1);
    }

    @Test
    void numbersMayHaveExponentsAndBlanksAroundThem() {
        assertThat(S.millis("1.5e9")).isEqualTo(1_500_000_000_000L);
        assertThat(MS.millis(" 12 ")).isEqualTo(12);
        assertThat(MS.millis("+3")).isEqualTo(3);
    }

    @Test
    void isoTimesNeedAZone() {
        long expected = 1_442_018_818_771L;
        assertThat(ISO.millis("2015-09-12T00:46:58.771Z")).isEqualTo(expected);
        assertThat(ISO.millis("2015-09-12T02:46:58.771+02:00")).isEqualTo(expected);
        assertThat(ISO.millis("2015-09-12 02:46:58.771+0200")).isEqualTo(expected);
        assertThat(ISO.millis("2015-09-12t00:46:58.771999z")).isEqualTo(expected);
        assertThatThrownBy(() -> ISO.millis("2015-09-12T00:46:58")).hasMessageContaining("with a zone");
        assertThatThrownBy(() -> MS.millis("2015-09-12T00:46:58Z")).hasMessageContaining("--time-unit iso");
    }

    @Test
    void accessLogTimesAreUnderstoodInEveryUnit() {
        for (TimeUnitText unit : TimeUnitText.values()) {
            assertThat(unit.millis("17/May/2015:10:05:03 +0000")).isEqualTo(1_431_857_103_000L);
            assertThat(unit.millis("17/May/2015:12:05:03 +0200")).isEqualTo(1_431_857_103_000L);
        }
    }

    @Test
    void whatIsNoTimeIsNamed() {
        assertThatThrownBy(() -> MS.millis("soon")).hasMessageContaining("'soon' is no number of ms");
        assertThatThrownBy(() -> MS.millis("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> S.millis("99999999999999999")).hasMessageContaining("beyond");
        assertThatThrownBy(() -> MS.millis("1e1000000000")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TimeUnitText.parse("ns")).hasMessageContaining("use ms, s, us or iso");
    }

    @Test
    void numbersAndIsoTimesSort() {
        assertThat(TimeUnitText.sortKey("1970-01-01T00:00:01.5Z")).isEqualByComparingTo("1500");
        assertThat(TimeUnitText.sortKey("9.5")).isLessThan(TimeUnitText.sortKey("10"));
        assertThat(TimeUnitText.sortKey("17/May/2015:10:05:03 +0000")).isEqualByComparingTo("1431857103000");
        assertThatThrownBy(() -> TimeUnitText.sortKey("x")).hasMessageContaining("neither a number nor an ISO time");
    }
}
