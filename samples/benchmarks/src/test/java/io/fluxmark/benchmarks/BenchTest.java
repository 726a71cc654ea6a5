package io.fluxmark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Equal answers, held against numbers that an independent program gave; no assertion on time. */
class BenchTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private String screen() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "TUMBLING, 20000, 11172, 18992401426325807, 1092964613, 4",
        "TUMBLING, 1000000, 105395, 179171520623108117, 38607001229, 925",
        "TUMBLING, 2000000, 205196, 348833250542540269, 77011484678, 1875",
        "SLIDING, 20000, 42460, 72182005730189123, 5065430205, 4",
        "SLIDING, 1000000, 537167, 913184006376316740, 193560058992, 925",
        "SESSION, 20000, 12629, 21469303925751464, 1143388854, 4",
        "SESSION, 1000000, 183089, 311251545440795908, 42133589394, 925",
    })
    void everyContenderGivesTheKnownAnswer(
            Workload workload, long events, long results, long checksum, long valueChecksum, long late) {
        Answer known = new Answer(results, checksum, valueChecksum, late);
        for (Contender loop : workload.loops()) {
            assertThat(loop.body().apply(events)).as(loop.name()).isEqualTo(known);
        }
        for (Variant variant : Variant.all()) {
            assertThat(Pipeline.run(workload.windows(), workload.generator(), variant, events))
                    .as(variant.toString())
                    .isEqualTo(known);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWholeRunFindsTheAnswersEqualAndShowsTheRatio(Workload workload) {
        long events = THOROUGH ? 500_000 : 50_000;
        int exit = BenchCommand.run(workload, new BenchOptions(events, 1, 3), Variant.all(), out);
        System.out.println(workload + " bench: 3 rounds of " + events + " events, no seed");
        assertThat(exit).as(screen()).isZero();
        assertThat(screen())
                .contains(
                        "Answers equal", "Fluxmark / loop, ", "B/event", "Fluxmark, run size 1", "Fluxmark, publishOn")
                .contains("Fluxmark, demand 256");
    }

    @Test
    void theSeriesOfKeysShowsWhatGrowthCosts() {
        int exit = BenchCommand.runKeys(Workload.TUMBLING, List.of(100L, 10_000L), new BenchOptions(20_000, 1, 3), out);
        assertThat(exit).as(screen()).isZero();
        assertThat(screen()).contains("100 keys", "10,000 keys", "ours, ns/event", "growth");
    }

    @Test
    void answersThatDifferAreShownAndEndWithOne() {
        Contender right = new Contender("right", n -> 1);
        Contender wrong = new Contender("wrong", n -> 2);
        int exit = new Bench(
                        new BenchOptions(10, 1, 3),
                        reactor.core.scheduler.Schedulers.immediate(),
                        out,
                        Generator.skewed(),
                        List.of(right),
                        List.of(wrong))
                .run("two that differ");
        assertThat(exit).isOne();
        assertThat(screen()).contains("DIFFERENT ANSWERS: right 1", "wrong 2");
    }

    @Test
    void unusableArgumentsAreNamedWithTheRemedy() {
        assertThatThrownBy(() -> BenchCommand.run("hopping", BenchOptions.DEFAULTS))
                .hasMessage("no workload 'hopping': use tumbling, sliding, session");
        assertThatThrownBy(
                        () -> BenchCommand.runKeys(Workload.SLIDING, List.of(10L), BenchOptions.DEFAULTS, System.out))
                .hasMessage("--keys goes with tumbling, not with sliding");
        assertThatThrownBy(() -> new BenchOptions(0, 1, 3)).hasMessage("--events is 0: use 1 or more");
        assertThatThrownBy(() -> new BenchOptions(1, 0, 3)).hasMessage("--warmups is 0: use 1 or more");
        assertThatThrownBy(() -> new BenchOptions(1, 1, 2)).hasMessage("--rounds is 2: use 3 or more");
        assertThatThrownBy(() -> new Variant(0, false, 1)).hasMessage("--run-size is 0: use 1 to 256");
        assertThatThrownBy(() -> new Variant(1, false, 0)).hasMessage("--demand is 0: use 1 or more");
    }

    @ParameterizedTest
    @CsvSource({"10k, 10000", "1M, 1000000", "7, 7"})
    void aNumberOfKeysMayHaveAUnit(String text, long keys) {
        assertThat(new KeyCountConverter().convert(text)).isEqualTo(keys);
        assertThatThrownBy(() -> new KeyCountConverter().convert(text + "x"))
                .isInstanceOf(CommandLine.TypeConversionException.class)
                .hasMessage("'" + text + "x' is not a number of keys: use one like 10k or 1M");
    }
}
