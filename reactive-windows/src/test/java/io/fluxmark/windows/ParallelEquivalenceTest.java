package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.LaneScript.Told;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** Keys divided among lanes: what comes out is what one lane emits, element by element. */
class ParallelEquivalenceTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int CASES = THOROUGH ? 400 : 25;
    private static final long SEED = 40_000;
    private static final int[] RUNS = {1, 2, 7, 256};
    private static final int[] DEMANDS = {1, 7, Integer.MAX_VALUE};

    /** Says the first difference, and not all there is. */
    private static void requireSame(List<String> many, List<String> one, String what) {
        int same = 0;
        while (same < Math.min(many.size(), one.size()) && many.get(same).equals(one.get(same))) {
            same++;
        }
        assertThat(many.subList(same, Math.min(many.size(), same + 3)))
                .as(what + ", from element " + same)
                .isEqualTo(one.subList(same, Math.min(one.size(), same + 3)));
    }

    @Test
    void anyNumberOfLanesSaysWhatOneLaneSays() {
        int runs = 0;
        long events = 0;
        long results = 0;
        for (Map.Entry<String, LaneScript.Stage> stage : LaneScript.stages().entrySet()) {
            for (int i = 0; i < CASES; i++) {
                long seed = SEED + i;
                Random random = new Random(seed);
                LaneScript script = new LaneScript(random);
                Told one = script.tell(stage.getValue(), RUNS[random.nextInt(4)], Integer.MAX_VALUE, keyed -> keyed);
                int lanes = 1 + i % 4;
                int run = RUNS[random.nextInt(4)];
                int demand = DEMANDS[random.nextInt(3)];
                Told many = script.tell(
                        stage.getValue(), run, demand, keyed -> keyed.parallel(lanes, Schedulers.parallel()));
                String what = stage.getKey() + ", seed " + seed + ", " + lanes + " lanes, runs of " + run + ", demand "
                        + demand;
                requireSame(many.stream, one.stream, what);
                requireSame(many.late, one.late, what + ", late");
                requireSame(many.failures, one.failures, what + ", failures");
                assertThat(many.watermark).as(what).isEqualTo(one.watermark);
                runs++;
                events += script.size();
                results += one.stream.size();
            }
        }
        System.out.printf(
                "parallel lanes against one: %d runs from seed %d, %,d events, %,d elements compared%n",
                runs, SEED, events, results);
    }
}
