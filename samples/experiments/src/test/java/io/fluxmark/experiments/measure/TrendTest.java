package io.fluxmark.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrendTest {

    @Test
    void aLineIsFoundAndWhatScattersAboutItIsNot() {
        assertThat(Trend.of(List.of(1.0, 2.0, 4.0), List.of(5.0, 7.0, 11.0))).isEqualTo(new Trend(2, 0));
        Trend scattered = Trend.of(List.of(0.0, 0.0, 1.0, 1.0), List.of(-1.0, 1.0, 9.0, 11.0));
        assertThat(scattered.slope()).isCloseTo(10, within(1e-9));
        assertThat(scattered.scatter()).isCloseTo(1, within(1e-9));
    }

    @Test
    void pointsWithoutALineAreRefused() {
        assertThatThrownBy(() -> Trend.of(List.of(1.0), List.of(1.0))).hasMessageContaining("two points");
        assertThatThrownBy(() -> Trend.of(List.of(1.0, 1.0), List.of(1.0, 2.0))).hasMessageContaining("different");
    }

    @Test
    void aVerdictSaysToWhichSideAPredictionWasWrong() {
        Prediction prediction = new Prediction(2, 3);
        assertThat(prediction.verdict(1)).isEqualTo("refuted downwards");
        assertThat(prediction.verdict(2)).isEqualTo("confirmed");
        assertThat(prediction.verdict(3.1)).isEqualTo("refuted upwards");
    }
}
