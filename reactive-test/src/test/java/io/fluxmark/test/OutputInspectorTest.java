package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule about the output alone finds an output that breaks it, and none of them one that does not. */
class OutputInspectorTest {

    private static final TimeWindow FIRST = new TimeWindow(0, 10);
    private static final TimeWindow SECOND = new TimeWindow(10, 20);

    private static WindowResult<String, Long> result(TimeWindow window, long value, Kind kind, int revision) {
        return new WindowResult<>("k", window, value, kind, revision, 0, 9);
    }

    @SafeVarargs
    private static StreamElement<WindowResult<String, Long>> run(
            long before, long after, WindowResult<String, Long>... results) {
        EventBatchBuilder<WindowResult<String, Long>> builder = EventBatch.builder();
        for (WindowResult<String, Long> result : results) {
            builder.add(result, result.window().end() - 1, before, result.isRetraction() ? -1 : 1);
        }
        return builder.build(after);
    }

    private static StreamElement<WindowResult<String, Long>> watermark(long timestamp) {
        return new Watermark<>(timestamp);
    }

    private static StreamElement<WindowResult<String, Long>> barrier(boolean last) {
        return new CheckpointBarrier<>(new RecordingTransaction(0), List.of(new SourcePosition("trial", 0, 0)), last);
    }

    @SafeVarargs
    private static void inspect(StreamElement<WindowResult<String, Long>>... elements) {
        OutputInspector<String, Long> inspector =
                new OutputInspector<>(WindowSpec.tumbling(Duration.ofMillis(10)), (barrier, events, output) -> {});
        for (StreamElement<WindowResult<String, Long>> element : elements) {
            inspector.accept(element);
        }
        inspector.requireEnd();
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    private static void broken(String rule, StreamElement<WindowResult<String, Long>>... elements) {
        assertThatThrownBy(() -> inspect(elements))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(rule);
    }

    @Test
    void anOutputThatKeepsTheRulesPasses() {
        assertThatCode(() -> inspect(
                        run(8, 9, result(FIRST, 1, Kind.ON_TIME, 0)),
                        barrier(false),
                        run(9, 9, result(FIRST, 1, Kind.RETRACT, 0), result(FIRST, 2, Kind.LATE, 1)),
                        run(9, Watermark.END, result(SECOND, 5, Kind.ON_TIME, 0)),
                        barrier(true)))
                .doesNotThrowAnyException();
    }

    @Test
    void aWatermarkThatStepsBack() {
        broken("S24", watermark(9), watermark(8));
        broken("S24", watermark(9), run(8, 9, result(SECOND, 1, Kind.ON_TIME, 0)));
    }

    @Test
    void aResultOnTimeBehindItsWatermark() {
        broken("S46: a result on time", watermark(9), run(9, 9, result(FIRST, 1, Kind.ON_TIME, 0)));
    }

    @Test
    void aResultThatIsStampedWithTheEndOfItsWindow() {
        WindowResult<String, Long> result = result(FIRST, 1, Kind.ON_TIME, 0);
        broken(
                "S46: a result carries",
                EventBatch.<WindowResult<String, Long>>builder()
                        .add(result, 10, 8)
                        .build(9));
    }

    @Test
    void aWindowThatThereIsNot() {
        broken("S02", run(8, 9, result(new TimeWindow(0, 11), 1, Kind.ON_TIME, 0)));
        broken("S02", run(8, 9, result(new TimeWindow(1, 11), 1, Kind.ON_TIME, 0)));
    }

    @Test
    void aRetractionWithTheSignOfAValue() {
        broken(
                "S15: the sign",
                EventBatch.<WindowResult<String, Long>>builder()
                        .add(result(FIRST, 1, Kind.RETRACT, 0), 9, 9)
                        .build(9));
    }

    @Test
    void retractionsOfWhatIsNotLive() {
        broken("S15: a retraction equals", run(8, 9, result(FIRST, 1, Kind.RETRACT, 0)));
        broken(
                "S15: a retraction equals",
                run(8, 9, result(FIRST, 1, Kind.ON_TIME, 0)),
                run(9, 9, result(FIRST, 2, Kind.RETRACT, 0)));
        broken(
                "S15: a retraction equals",
                run(8, 9, result(FIRST, 1, Kind.ON_TIME, 0)),
                run(9, 9, result(FIRST, 1, Kind.RETRACT, 1)));
    }

    @Test
    void aRetractionThatStandsApartFromItsReplacement() {
        WindowResult<String, Long> old = result(FIRST, 1, Kind.RETRACT, 0);
        StreamElement<WindowResult<String, Long>> fired =
                run(8, 9, result(FIRST, 1, Kind.ON_TIME, 0), result(SECOND, 1, Kind.ON_TIME, 0));
        broken("S15: a retraction and the value", fired, run(9, 9, old, result(SECOND, 2, Kind.LATE, 1)));
        broken("S15: a retraction and the value", fired, run(9, 9, old), barrier(false));
        broken("S15: a retraction and the value", fired, run(9, 9, old, result(SECOND, 1, Kind.RETRACT, 0)));
    }

    @Test
    void twoLiveValuesAndARevisionThatJumps() {
        broken(
                "S15: a window and key has one live value",
                run(8, 9, result(FIRST, 1, Kind.ON_TIME, 0)),
                run(9, 9, result(FIRST, 2, Kind.LATE, 1)));
        broken("S15: revisions rise by one", run(8, 9, result(FIRST, 1, Kind.ON_TIME, 1)));
    }

    @Test
    void anEndThatIsMissing() {
        broken("S33", barrier(true));
        broken("a barrier is never dropped", watermark(Watermark.END));
    }
}
