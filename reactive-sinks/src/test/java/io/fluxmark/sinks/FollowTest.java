package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Reading what a job has committed: rows by key and window, ranges, and changes as they come. */
class FollowTest {

    private static final int TICKS = Ticks.thorough() ? 60_000 : 12_000;
    private static final long SEED = 31;

    @TempDir
    Path directory;

    private JobPlace place;
    private List<Ticks.Tick> ticks;

    @BeforeEach
    void open() {
        place = JobPlace.open(directory);
        ticks = Ticks.random(TICKS, SEED);
        Ticks.append(place.topic(), ticks);
    }

    @AfterEach
    void close() {
        place.close();
    }

    private ChangelogSink<String, Long> changes() {
        return TransactionalSink.changelog(place.store(), "changes", KeyCodec.tagged(), Codec.longs());
    }

    private TableSink<String, Long> table() {
        return TransactionalSink.table(place.store(), "counts", KeyCodec.tagged(), Codec.longs());
    }

    private void run(int events) {
        place.job(table().and(changes()), CheckpointSpec.everyEvents(events).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);
    }

    private List<Change<WindowResult<String, Long>>> all() {
        return changes().changesFrom(ChangePosition.begin()).collectList().block(Ticks.PATIENCE);
    }

    /** Each lane in order and without a gap. */
    private static void assertWhole(List<Change<WindowResult<String, Long>>> seen) {
        ChangePosition position = ChangePosition.begin();
        for (Change<?> change : seen) {
            assertThat(change.number()).as("lane %d", change.lane()).isEqualTo(position.of(change.lane()));
            position = position.after(change);
        }
    }

    /** Asks for a few at a time, at random. */
    private static final class Slow extends BaseSubscriber<Change<WindowResult<String, Long>>> {

        private final Random random;
        private final int limit;
        final List<Change<WindowResult<String, Long>>> seen = Collections.synchronizedList(new ArrayList<>());
        private long asked;

        Slow(long seed, int limit) {
            this.random = new Random(seed);
            this.limit = limit;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            ask();
        }

        @Override
        protected void hookOnNext(Change<WindowResult<String, Long>> change) {
            seen.add(change);
            if (seen.size() > asked) {
                throw new AssertionError(seen.size() + " came and " + asked + " were asked for");
            }
            if (seen.size() == limit) {
                cancel();
            } else if (seen.size() == asked) {
                ask();
            }
        }

        private void ask() {
            int n = 1 + random.nextInt(300);
            asked += n;
            request(n);
        }
    }

    @Test
    void aFollowerSeesEveryChangeOnceWhileTheJobCommitsThem() {
        Slow follower = new Slow(SEED, Integer.MAX_VALUE);
        changes().follow(ChangePosition.begin()).subscribe(follower);
        run(50);
        List<Change<WindowResult<String, Long>>> all = all();
        JobPlace.await("the last change", () -> follower.seen.size() >= all.size());
        follower.cancel();
        assertWhole(follower.seen);
        assertThat(follower.seen).containsExactlyInAnyOrderElementsOf(all).hasSizeGreaterThan(1_000);
        assertThat(PlainBatch.fold(follower.seen.stream().map(Change::value).toList()))
                .isEqualTo(Ticks.batch(place.topic(), ticks));
        System.out.printf("followed changes: %d of %d ticks, seed %d%n", all.size(), TICKS, SEED);
    }

    @Test
    void whoGoesOnFromAPositionMissesNothingAndSeesNothingTwiceWhateverIsRestartedInBetween() {
        List<Change<WindowResult<String, Long>>> seen = new ArrayList<>();
        ChangePosition position = ChangePosition.begin();
        Random random = new Random(SEED);
        for (int round = 0; round < 8; round++) {
            place.job(table().and(changes()), CheckpointSpec.everyEvents(60))
                    .take(2)
                    .blockLast(Ticks.PATIENCE);
            Slow follower = new Slow(SEED + round, 1 + random.nextInt(20));
            changes().follow(position).subscribe(follower);
            if (round % 2 == 1) {
                JobPlace.await("some changes", () -> !follower.seen.isEmpty());
                follower.cancel();
            } else {
                JobPlace.await("a full portion", follower::isDisposed);
            }
            for (Change<WindowResult<String, Long>> change : List.copyOf(follower.seen)) {
                position = position.after(change);
                seen.add(change);
            }
            place.close();
            place = JobPlace.open(directory);
        }
        run(60);
        seen.addAll(changes().changesFrom(position).collectList().block(Ticks.PATIENCE));
        assertWhole(seen);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(all());
    }

    @Test
    void withoutDemandNothingIsReadAndWithoutACommitNothingComes() {
        run(500);
        int count = all().size();
        StepVerifier.create(changes().follow(ChangePosition.begin()), 0)
                .expectSubscription()
                .then(() ->
                        assertThat(place.store().info().block().pinnedViews()).isLessThanOrEqualTo(1))
                .thenRequest(count)
                .expectNextCount(count)
                .thenRequest(1)
                .then(() -> place.store().close())
                .verifyErrorMatches(failure -> failure.getMessage().contains("is closed"));
    }

    @Test
    void theEndIsBehindTheLastChangeOfEachLane() {
        assertThat(changes().end().block(Ticks.PATIENCE)).isEqualTo(ChangePosition.begin());
        run(300);
        ChangePosition end = ChangePosition.begin();
        for (Change<?> change : all()) {
            end = end.after(change);
        }
        assertThat(changes().end().block(Ticks.PATIENCE)).isEqualTo(end);
        assertThat(end.next()).hasSize(Ticks.PARTITIONS);
        assertThat(changes().changesFrom(end).collectList().block(Ticks.PATIENCE))
                .isEmpty();
    }

    @Test
    void aTableReadAfterTheEndAndFollowedFromThereIsTheTableAtLast() {
        place.job(table().and(changes()), CheckpointSpec.everyEvents(60))
                .take(4)
                .blockLast(Ticks.PATIENCE);
        ChangePosition end = changes().end().block(Ticks.PATIENCE);
        place.job(table().and(changes()), CheckpointSpec.everyEvents(60))
                .take(2)
                .blockLast(Ticks.PATIENCE);
        Map<PlainBatch.Slot<String>, WindowResult<String, Long>> mine = new HashMap<>();
        table().rows().toIterable().forEach(row -> mine.put(new PlainBatch.Slot<>(row.key(), row.window()), row));
        run(60);
        for (Change<WindowResult<String, Long>> change :
                changes().changesFrom(end).toIterable()) {
            WindowResult<String, Long> result = change.value();
            PlainBatch.Slot<String> slot = new PlainBatch.Slot<>(result.key(), result.window());
            WindowResult<String, Long> known = mine.get(slot);
            if (result.isRetraction()) {
                mine.computeIfPresent(slot, (s, row) -> row.revision() == result.revision() ? null : row);
            } else if (known == null || known.revision() <= result.revision()) {
                mine.put(slot, result);
            }
        }
        assertThat(mine.values())
                .containsExactlyInAnyOrderElementsOf(
                        table().rows().collectList().block(Ticks.PATIENCE));
    }

    @Test
    void aRowIsFoundByKeyAndWindowAndRowsByTheEndsOfTheirWindows() {
        run(700);
        List<WindowResult<String, Long>> rows = table().rows().collectList().block(Ticks.PATIENCE);
        for (WindowResult<String, Long> row : rows.subList(0, 50)) {
            assertThat(table().row(row.key(), row.window()).block(Ticks.PATIENCE))
                    .isEqualTo(row);
        }
        assertThat(table().row("nobody", new TimeWindow(0, 100)).block(Ticks.PATIENCE))
                .isNull();
        assertThat(table().row("k", rows.get(0).window()).block(Ticks.PATIENCE))
                .as("a key that is the beginning of others")
                .isNull();
        assertThat(table().rows(300, 600).collectList().block(Ticks.PATIENCE))
                .isEqualTo(rows.stream()
                        .filter(row -> row.window().end() >= 300 && row.window().end() < 600)
                        .toList())
                .isNotEmpty();
        assertThat(table().rows(300, 300).collectList().block(Ticks.PATIENCE)).isEmpty();
        assertThatThrownBy(() -> table().rows(300, 299))
                .hasMessageContaining("300")
                .hasMessageContaining("299");
    }
}
