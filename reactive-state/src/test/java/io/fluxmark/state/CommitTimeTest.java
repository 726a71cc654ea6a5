package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommitTimeTest {

    private final CommitTime time = new CommitTime();

    @Test
    void rowsAreNotTheCommitsPriceButStateAndTheLeastForceAre() {
        assertThat(time.perCommit(110, 10, 25, 100)).isEqualTo(10 + 100 / 4);
        assertThat(time.perCommit(110, 60, 25, 100)).isEqualTo(10 + 100 / 4);
        assertThat(time.perCommit(102, 2, 0, 100)).isEqualTo(2);
        assertThat(time.perCommit(102, 50, 100, 100)).isEqualTo(102);
    }

    @Test
    void commitWithoutEntriesIsAllPrice() {
        assertThat(time.perCommit(7, 3, 0, 0)).isEqualTo(7);
        assertThat(time.perCommit(1, 3, 0, 10)).isEqualTo(1);
    }
}
