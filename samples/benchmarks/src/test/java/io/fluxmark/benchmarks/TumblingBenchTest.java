package io.fluxmark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Equal answers, held against numbers that an independent program gave; no assertion on time. */
class TumblingBenchTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");

    @ParameterizedTest
    @CsvSource({
        "1000000, 105395, 179171520623108117, 38607001229, 925",
        "2000000, 205196, 348833250542540269, 77011484678, 1875",
    })
    void everyContenderGivesTheKnownAnswer(long events, long results, long checksum, long valueChecksum, long late) {
        Answer known = new Answer(results, checksum, valueChecksum, late);
        assertThat(new BoxedLoop().run(events)).isEqualTo(known);
        assertThat(new PrimitiveLoop().run(events)).isEqualTo(known);
        assertThat(TumblingPipeline.run(events)).isEqualTo(known);
    }

    @Test
    void aWholeRunFindsTheAnswersEqualAndShowsTheRatio() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long events = THOROUGH ? 500_000 : 50_000;
        int exit = BenchCommand.run(
                "tumbling", new BenchOptions(events, 1, 3), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String screen = bytes.toString(StandardCharsets.UTF_8);
        System.out.println("tumbling bench: 3 rounds of " + events + " events, no seed");
        assertThat(exit).as(screen).isZero();
        assertThat(screen).contains("Answers equal", "Fluxmark / HashMap loop: ", "B/event");
    }

    @Test
    void unusableArgumentsAreNamedWithTheRemedy() {
        assertThatThrownBy(() -> BenchCommand.run("sliding", BenchOptions.DEFAULTS))
                .hasMessage("no workload 'sliding': use tumbling");
        assertThatThrownBy(() -> new BenchOptions(0, 1, 3)).hasMessage("--events is 0: use 1 or more");
        assertThatThrownBy(() -> new BenchOptions(1, 0, 3)).hasMessage("--warmups is 0: use 1 or more");
        assertThatThrownBy(() -> new BenchOptions(1, 1, 2)).hasMessage("--rounds is 2: use 3 or more");
    }
}
