package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fluxmark.test.Traces;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The watermark of several partitions does exactly what a reference model did in 30 recorded runs. */
class PartitionTraceTest {

    private static void replay(JsonNode trace) {
        CombinedWatermark combined = new CombinedWatermark(
                trace.get("partitions").asInt(),
                WatermarkSpec.boundedOutOfOrderness(
                        Duration.ofMillis(trace.get("delay").asLong())));
        List<String> after = new ArrayList<>();
        for (String step : Traces.words(trace, "steps")) {
            int partition = step.charAt(0) - '0';
            if (step.charAt(1) == '@') {
                combined.onEvent(partition, Long.parseLong(step.substring(2)));
            } else {
                combined.idle(partition);
            }
            long watermark = combined.watermark();
            after.add(watermark == Watermark.NONE ? "-" : String.valueOf(watermark));
        }
        assertThat(after).as("trace %s", trace.get("seed")).isEqualTo(Traces.words(trace, "combined"));
    }

    @Test
    void s25s27s29s30TheCombinedWatermarkIsWhatTheReferenceModelHad() {
        List<JsonNode> traces = Traces.of("partitions.json");
        assertThat(traces).hasSize(30);
        traces.forEach(PartitionTraceTest::replay);
    }
}
