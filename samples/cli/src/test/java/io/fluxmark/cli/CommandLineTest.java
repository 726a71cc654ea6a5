package io.fluxmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpNamesTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("demo", "aggregate", "frontier", "log", "experiment", "bench", "./fluxmark demo");
    }

    @Test
    void noCommandIsBadUsage() {
        assertThat(run()).isEqualTo(64);
        assertThat(err.toString()).contains("use demo, aggregate, frontier, log, store, experiment or bench");
    }

    @Test
    void anUnknownOptionIsNamedWithTheRemedy() {
        assertThat(run("demo", "--dleay", "1h")).isEqualTo(64);
        assertThat(err.toString()).contains("--dleay").contains("./fluxmark demo --help");
    }

    @Test
    void aDurationThatIsNoneIsNamedWithAnExample() {
        assertThat(run("demo", "--delay", "soon")).isEqualTo(64);
        assertThat(err.toString()).contains("'soon' is no duration").contains("2h");

        assertThat(run("demo", "--lateness", "-5m")).isEqualTo(64);
        assertThat(err.toString()).contains("'-5m' is negative");
    }

    @Test
    void numbersOutOfRangeAreNamedWithTheRemedy() {
        assertThat(run("demo", "--kill-after", "0")).isEqualTo(64);
        assertThat(err.toString()).contains("--kill-after is 0: use 1 or more");

        assertThat(run("demo", "--checkpoint-events", "-1")).isEqualTo(64);
        assertThat(err.toString()).contains("checkpoint events is -1");

        assertThat(run("demo", "--delay", "400d")).isEqualTo(64);
        assertThat(err.toString()).contains("delay is 400d: use 0 up to 365d");
    }

    @Test
    void aLatePolicyThatIsNoneIsRefused() {
        assertThat(run("demo", "--late", "lose")).isEqualTo(64);
        assertThat(err.toString()).contains("lose").contains("DROP", "SIDE");
    }

    @Test
    void anExperimentThatIsNotMeasuredIsNamed() {
        assertThat(run("experiment", "E99")).isEqualTo(64);
        assertThat(err.toString()).contains("'E99' is no measured experiment").contains("E1");
    }

    @Test
    void durationsAreReadAsPeopleWriteThem() throws Exception {
        DurationConverter converter = new DurationConverter();

        assertThat(converter.convert("0")).isZero();
        assertThat(converter.convert("90s")).hasSeconds(90);
        assertThat(converter.convert("1h30m")).hasMinutes(90);
        assertThat(converter.convert("1d")).hasHours(24);
        assertThat(converter.convert("1d6h")).hasHours(30);
        assertThat(converter.convert("PT2H")).hasHours(2);
    }

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(args);
    }
}
