package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;

/** The power fails at any change of any file; what was committed is committed, and nothing that nobody committed. */
class GroupPowerCutTest {

    private static final int TRIALS = Logs.thorough() ? 1_000 : 150;
    private static final long SEED = 89;
    private static final int RECORDS = 100;
    private static final PartitionId FIRST = new PartitionId(Logs.TOPIC, 0);
    private static final PartitionId SECOND = new PartitionId(Logs.TOPIC, 1);

    @TempDir
    Path directory;

    @Test
    void committedOffsetsSurviveAPowerCutTogether() throws Exception {
        int cut = 0;
        long acknowledged = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            Random random = new Random(SEED + trial);
            Path before = Files.createDirectory(directory.resolve("before" + trial));
            Path after = Files.createDirectory(directory.resolve("after" + trial));
            PowerCutStorage storage = new PowerCutStorage(before, 16 + random.nextInt(60), random);
            long[] offsets = {0, 0};
            commitUntilTheCut(before, storage, offsets);
            storage.writeRemains(after);
            cut += storage.isOff() ? 1 : 0;
            acknowledged += offsets[0];
            String as = "seed " + (SEED + trial);
            var found = GroupOffsets.read(after).collectList().block(Logs.WAIT);
            if (found.isEmpty()) {
                assertThat(offsets[0]).as(as).isZero();
                continue;
            }
            Map<PartitionId, Long> committed = found.get(0).offsets();
            long first = committed.getOrDefault(FIRST, 0L);
            assertThat(first).as(as).isBetween(offsets[0], offsets[1]);
            assertThat(committed.getOrDefault(SECOND, 0L))
                    .as(as + ", both or none")
                    .isEqualTo(first);
        }
        assertThat(cut).isPositive();
        assertThat(acknowledged).isPositive();
        System.out.println("power cuts over group offsets: " + TRIALS + " trials, " + cut + " cut, " + acknowledged
                + " commits acknowledged, seed " + SEED);
    }

    /**
     * @param offsets what was committed last, and what was tried
     */
    private static void commitUntilTheCut(Path place, PowerCutStorage storage, long[] offsets) {
        LogSpec spec = LogSpec.defaults()
                .storage(storage)
                .writerExecutor(Runnable::run)
                .readScheduler(Schedulers.immediate());
        try (EventLog log = Logs.open(place, spec)) {
            Topic topic = log.createTopic(Logs.TOPIC, 2).block(Logs.WAIT);
            GroupFixture.fill(topic, 0, RECORDS);
            GroupFixture.fill(topic, 1, RECORDS);
            GroupMember member = log.group("g", GroupSpec.defaults().scheduler(Schedulers.immediate()))
                    .join(Logs.TOPIC)
                    .block(Logs.WAIT);
            for (long next = 1; next <= RECORDS; next++) {
                offsets[1] = next;
                member.commit(member.assignment().generation(), Map.of(FIRST, next, SECOND, next))
                        .block(Logs.WAIT);
                offsets[0] = next;
            }
        } catch (RuntimeException e) {
            assertThat(storage.isOff()).as("%s", e).isTrue();
        }
    }
}
