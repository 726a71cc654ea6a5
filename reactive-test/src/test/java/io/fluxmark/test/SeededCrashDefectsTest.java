package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** The tools that crash, repeat and fail find jobs that are broken on purpose, and pass those that are not. */
class SeededCrashDefectsTest {

    private static final long SEED = 5_300;
    private static final int CRASHES = 60;
    private static final int TORN_SEEDS = 8;

    @TempDir
    Path directory;

    private AbstractThrowableAssert<?, ? extends Throwable> found(Runnable tool) {
        return assertThatThrownBy(tool::run)
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> System.out.println(failure.getMessage() + "\n"))
                .hasMessageContaining("seed " + SEED);
    }

    private static CrashPoints crashes(CrashDefects.Defect defect) {
        return CrashPoints.of(CrashDefects.job(defect)).sample(CRASHES, SEED);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> foundByCrashes(CrashDefects.Defect defect) {
        return found(() -> crashes(defect).verify(directory))
                .hasMessageContaining("Not the same after a kill at boundary");
    }

    @Test
    void soundJobsPass() {
        JobCase sound = CrashDefects.job(CrashDefects.none());
        assertThat(CrashPoints.of(sound)
                        .sample(CRASHES / 2, SEED)
                        .verify(directory)
                        .prefixes())
                .isGreaterThan(CRASHES / 2);
        DuplicateDelivery.Report sent =
                DuplicateDelivery.of(sound).restarts(3, SEED).verify(directory);
        assertThat(sent.deliveries()).isGreaterThan(sent.records() * 3 / 2);
        DiskFaults.Report faults = DiskFaults.of(sound).trials(20, SEED).verify(directory);
        assertThat(faults.struck()).isGreaterThan(5);
        System.out.println("duplicate delivery: " + sent + "\ndisk faults: " + faults);
    }

    @Test
    void offsetsThatAreCommittedBeforeTheirState() {
        foundByCrashes(CrashDefects.offsetsAhead(10)).hasMessageContaining("committed offset");
    }

    @Test
    void rowsThatAreWrittenOutsideTheTransaction() {
        foundByCrashes(CrashDefects.rowsOutsideTheTransaction())
                .hasMessageContaining("S48: rows, state and offsets are of one commit");
    }

    @Test
    void openWindowsThatAreNotInTheSnapshot() {
        foundByCrashes(CrashDefects.forgetsWindows());
    }

    @Test
    void timersThatAreDroppedAtRestore() {
        assertThat(CrashPoints.of(CrashDefects.process(CrashDefects.none()))
                        .sample(CRASHES / 4, SEED)
                        .verify(directory.resolve("sound"))
                        .rows())
                .isGreaterThan(50);
        CrashPoints broken = CrashPoints.of(CrashDefects.process(CrashDefects.forgetsTimers()))
                .sample(CRASHES, SEED);
        found(() -> broken.verify(directory)).hasMessageContaining("Not the same after a kill at boundary");
    }

    /** Where a power cut tears a batch is chance, and rare: all boundaries are tried, by one seed after the other. */
    @Test
    void aTornTailThatIsAccepted() {
        JobCase wide = TornTails.job();
        CrashPoints.Report sound =
                CrashPoints.of(wide).sample(CRASHES, SEED).powerCuts().verify(directory.resolve("sound"));
        assertThat(sound.crashes()).isEqualTo(CRASHES);
        TornTails torn = new TornTails();
        assertThatThrownBy(() -> {
                    for (int seed = 0; seed < TORN_SEEDS; seed++) {
                        CrashPoints.of(wide)
                                .sample(Integer.MAX_VALUE, seed)
                                .powerCuts()
                                .recovering(torn::accept)
                                .verify(directory.resolve("torn-" + seed));
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Not the same after a power cut at boundary")
                .satisfies(failure -> System.out.println(failure.getMessage() + "\n"));
        System.out.printf("torn tails: %d accepted until it was found%n%n", torn.accepted());
        assertThat(torn.accepted()).isPositive();
    }

    @Test
    void aWatermarkThatIsForgottenOnRestart() {
        foundByCrashes(CrashDefects.forgets(
                (operator, name) -> name.equals(WatermarkSpec.STATE_NAME) || name.equals(Watermark.STATE_NAME)));
    }

    @Test
    void windowsThatFireAgainAfterARestart() {
        foundByCrashes(CrashDefects.forgets(
                (operator, name) -> operator.startsWith("window") && name.equals(Watermark.STATE_NAME)));
    }

    @Test
    void countsThatBeginAgain() {
        foundByCrashes(CrashDefects.forgetsCounts());
    }

    private AbstractThrowableAssert<?, ? extends Throwable> foundByPowerCuts(String files) {
        CrashPoints cuts = crashes(CrashDefects.none()).powerCuts().lying(file -> file.toString()
                .contains(files));
        return found(() -> cuts.verify(directory)).hasMessageContaining("Not the same after a power cut at boundary");
    }

    @Test
    void aStoreThatIsNotForced() {
        foundByPowerCuts("state.mv");
    }

    @Test
    void aLogThatIsNotForced() {
        foundByPowerCuts(".log");
    }

    private void foundByRepetition(UnaryOperator<AppendRecord> sent, String what) {
        DuplicateDelivery repeated = DuplicateDelivery.of(
                        CrashDefects.job(CrashDefects.none()).sending(sent))
                .restarts(2, SEED);
        found(() -> repeated.verify(directory)).hasMessageContaining(what);
    }

    @Test
    void aProducerThatNumbersEachAttemptAnew() {
        foundByRepetition(CrashDefects.numbersAttempts(), "are in the log");
    }

    @Test
    void aProducerWithoutNumbers() {
        foundByRepetition(CrashDefects.numbersNothing(), "every record of the input has a sequence");
    }

    private void foundByFaults(UnaryOperator<Flux<Checkpoint>> change, String what) {
        JobCase sound = CrashDefects.job(CrashDefects.none());
        JobCase broken = JobCase.of(
                        (log, store, spec) -> change.apply(sound.job().run(log, store, spec)))
                .input(sound.topic(), sound.partitions(), sound.records());
        found(() -> DiskFaults.of(broken).trials(20, SEED).verify(directory)).hasMessageContaining(what);
    }

    @Test
    void aJobThatKeepsItsFailureToItself() {
        foundByFaults(job -> job.onErrorComplete(), "a drained job has read everything");
    }

    @Test
    void aFailureWithoutItsCause() {
        foundByFaults(
                job -> job.onErrorMap(failure -> new IllegalStateException("something went wrong")),
                "an error names its cause");
    }
}
