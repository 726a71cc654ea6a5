package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import org.junit.jupiter.api.Test;

class ChangeSpreadTest {

    private final ChangeSpread<Long> spread = new ChangeSpread<>(Comparator.naturalOrder());

    @Test
    void newEntriesInOrderCountOnce() {
        for (long key = 0; key < 100; key++) {
            assertThat(spread.born(key, key + 1)).isEqualTo(1);
        }
        assertThat(spread.counted()).isEqualTo(100);
    }

    @Test
    void newEntryBelowOthersAndChangedEntryCountAsAPage() {
        assertThat(spread.born(5L, 1000)).isEqualTo(1);
        assertThat(spread.born(3L, 1001)).isEqualTo(ChangeSpread.PER_PAGE);
        assertThat(spread.born(4L, 1002)).isEqualTo(ChangeSpread.PER_PAGE);
        assertThat(spread.changed(1002)).isEqualTo(ChangeSpread.PER_PAGE);
        assertThat(spread.counted()).isEqualTo(1 + 3 * ChangeSpread.PER_PAGE);
    }

    @Test
    void wholePaneCountsNoMoreThanItsPages() {
        for (int i = 0; i < 100; i++) {
            spread.changed(100);
        }
        assertThat(spread.counted()).isEqualTo(100 + ChangeSpread.PER_PAGE - 1);
    }

    @Test
    void barrierTakesAllAndTheOrderGoesOn() {
        spread.born(7L, 1);
        spread.changed(1);
        spread.reset();
        assertThat(spread.counted()).isZero();
        assertThat(spread.born(8L, 2)).isEqualTo(1);
    }
}
