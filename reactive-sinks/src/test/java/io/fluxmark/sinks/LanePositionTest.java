package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.StateTransaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How positions stand in stores, those of earlier versions too. */
class LanePositionTest {

    private static long[] saved(LanePosition position) {
        List<long[]> saved = new ArrayList<>();
        position.save(new StateTransaction() {
            @Override
            public long id() {
                return position.transaction();
            }

            @Override
            public void longs(String operator, String name, long[] values) {
                assertThat(operator + "/" + name).isEqualTo("job/position");
                saved.add(values);
            }
        });
        return saved.get(0);
    }

    private static LanePosition.Offsets offsets(long next, long oldest) {
        return new LanePosition.Offsets(next, oldest);
    }

    @Test
    void aLaneOverOnePartitionStandsAsBeforeThereWereOthers() {
        assertThat(saved(new LanePosition(List.of(offsets(9, 4)), true, 3))).containsExactly(9, 1, 3, 4);
        assertThat(LanePosition.of(new long[] {9, 1, 3, 4}))
                .isEqualTo(new LanePosition(List.of(offsets(9, 4)), true, 3));
    }

    @Test
    void aStoreThatDoesNotSayTheOldestOffsetIsRead() {
        assertThat(LanePosition.of(new long[] {9, 0, 3})).isEqualTo(new LanePosition(List.of(offsets(9, 9)), false, 3));
    }

    @Test
    void whatIsSavedIsReadAgain() {
        long[] numbers = {0, 1, 1L << 7, 1L << 15, 1L << 31, 1L << 32, Long.MAX_VALUE};
        for (int partitions = 1; partitions <= 5; partitions++) {
            List<LanePosition.Offsets> offsets = new ArrayList<>();
            for (int p = 0; p < partitions; p++) {
                offsets.add(offsets(numbers[(p + 2) % numbers.length], numbers[p]));
            }
            LanePosition position = new LanePosition(offsets, partitions % 2 == 0, numbers[partitions]);
            assertThat(LanePosition.of(saved(position))).isEqualTo(position);
        }
    }

    @Test
    void whatIsNotCommittedIsTheBeginning() {
        assertThat(LanePosition.BEGIN.nextOffset(3)).isZero();
        assertThat(LanePosition.of(new long[] {9, 0, 3, 4}).nextOffset(1)).isZero();
    }
}
