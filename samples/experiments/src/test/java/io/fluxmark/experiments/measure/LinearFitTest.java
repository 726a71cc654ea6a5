package io.fluxmark.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class LinearFitTest {

    @Test
    void pointsOnALineGiveThatLine() {
        LinearFit fit = LinearFit.of(List.of(0.0, 1.0, 4.0), List.of(5.0, 3.0, -3.0));

        assertThat(fit.intercept()).isEqualTo(5, within(1e-12));
        assertThat(fit.slope()).isEqualTo(-2, within(1e-12));
        assertThat(fit.correlation()).isEqualTo(-1, within(1e-12));
        assertThat(fit.at(10)).isEqualTo(-15, within(1e-12));
    }

    @Test
    void scatteredPointsAreLessCorrelated() {
        LinearFit fit = LinearFit.of(List.of(0.0, 1.0, 2.0, 3.0), List.of(0.0, 2.0, 1.0, 3.0));

        assertThat(fit.slope()).isEqualTo(0.8, within(1e-12));
        assertThat(fit.correlation()).isEqualTo(0.8, within(1e-12));
    }

    @Test
    void onePointMakesNoLine() {
        assertThatThrownBy(() -> LinearFit.of(List.of(1.0, 1.0), List.of(2.0, 3.0)))
                .hasMessageContaining("two points with different x");
    }

    @Test
    void aPredictionSaysOnWhichSideItWasWrong() {
        Prediction prediction = new Prediction(2, 6);

        assertThat(prediction.verdict(1.9)).isEqualTo("refuted downwards");
        assertThat(prediction.verdict(6)).isEqualTo("confirmed");
        assertThat(prediction.verdict(6.1)).isEqualTo("refuted upwards");
    }
}
