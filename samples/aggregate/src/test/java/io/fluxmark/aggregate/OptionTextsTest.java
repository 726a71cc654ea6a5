package io.fluxmark.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.WindowSpec;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class OptionTextsTest {

    @Test
    void durationsAreReadAndWrittenAsPeopleDo() {
        assertThat(DurationText.parse("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(DurationText.parse("1d2h3m4s5ms")).isEqualTo(Duration.parse("P1DT2H3M4.005S"));
        assertThat(DurationText.parse("0")).isZero();
        assertThat(DurationText.parse("PT2H")).hasHours(2);
        for (String none : new String[] {"", "5", "s", "5x", "1.5s", "5s3", "99999999999999999999s"}) {
            assertThatThrownBy(() -> DurationText.parse(none)).hasMessageContaining("is no duration");
        }
        assertThatThrownBy(() -> DurationText.parse("-5s")).hasMessageContaining("negative");
        assertThat(DurationText.text(93_784_005)).isEqualTo("1d2h3m4s5ms");
        assertThat(DurationText.text(0)).isEqualTo("0");
    }

    @Test
    void windowsOfEveryKind() {
        assertThat(WindowText.parse("tumbling:10s").spec().sizeMillis()).isEqualTo(10_000);
        WindowSpec sliding = WindowText.parse("sliding:10s/2s+500ms").spec();
        assertThat(sliding.slideMillis()).isEqualTo(2_000);
        assertThat(sliding.offsetMillis()).isEqualTo(500);
        assertThat(WindowText.parse("tumbling:10s+-3s").spec().offsetMillis()).isEqualTo(-3_000);
        assertThat(WindowText.parse("session:5s").spec().kind()).isEqualTo(WindowSpec.Kind.SESSION);
        assertThat(WindowText.parse("count:100").spec().sizeMillis()).isEqualTo(100);
        assertThat(WindowText.parse("global").spec().kind()).isEqualTo(WindowSpec.Kind.GLOBAL);
        assertThat(WindowText.parse("day:Europe/Berlin").zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(WindowText.parse("month:UTC").months()).isTrue();
        assertThat(WindowText.parse("week:America/New_York").firstDay()).isEqualTo(DayOfWeek.MONDAY);
        WindowText week = WindowText.parse("week:America/New_York/sunday");
        assertThat(week.firstDay()).isEqualTo(DayOfWeek.SUNDAY);
        assertThat(week.zone()).isEqualTo(ZoneId.of("America/New_York"));
    }

    @Test
    void windowsThatAreNoneAreNamedWithTheRemedy() {
        assertThatThrownBy(() -> WindowText.parse("hopping:5s")).hasMessageContaining("sliding:10s/2s");
        assertThatThrownBy(() -> WindowText.parse("tumbling")).hasMessageContaining("tumbling");
        assertThatThrownBy(() -> WindowText.parse("tumbling:0")).hasMessageContaining("at least 1 ms");
        assertThatThrownBy(() -> WindowText.parse("tumbling:5s+9s")).hasMessageContaining("offset");
        assertThatThrownBy(() -> WindowText.parse("sliding:5s")).hasMessageContaining("sliding:10s/2s");
        assertThatThrownBy(() -> WindowText.parse("day:Berlin")).hasMessageContaining("'Berlin' is no time zone");
        assertThatThrownBy(() -> WindowText.parse("count:many")).hasMessageContaining("'many'");
    }
}
