package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionOrderTest {

    @TempDir
    Path directory;

    @Test
    void theNextTransactionMayBeSubmittedFromWithinTheCompletionOfTheOneBefore() {
        // All on one thread: the completion comes before the submission that caused it has returned.
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            LaneTransaction first = session.begin();
            LaneTransaction second = session.begin();
            session.submit(first)
                    .doOnNext(done -> session.submit(second).subscribe())
                    .block(Stores.PATIENCE);
            assertThat(session.committedTransaction()).isEqualTo(second.id());
        }
    }
}
