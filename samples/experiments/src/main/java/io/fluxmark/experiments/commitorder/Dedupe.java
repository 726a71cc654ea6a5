package io.fluxmark.experiments.commitorder;

import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.AppendResult;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Topic;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** What is left of a producer's repetitions behind those who look for them. */
final class Dedupe {

    private static final String PRODUCER = "producer";
    private static final int RUN = 1_000;

    private Dedupe() {}

    /**
     * By id, in a pipeline. A record has its number as its event time, ms: what is sent again comes a second of event time later.
     *
     * @return how many events are let through
     */
    static long byId(long arrivals, Duration timeToLive) {
        AtomicLong through = new AtomicLong();
        Playback<Long> playback = new Playback<>();
        playback.run(
                playback.events()
                        .watermarksMillis(
                                (Long record) -> Playback.START + record,
                                WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                        .keyByLong(record -> record)
                        .process(new OnceOnly(timeToLive)),
                event -> through.incrementAndGet());
        for (long n = 0; n < arrivals; n++) {
            long record = Resends.record(n);
            playback.event(Playback.START + record, record);
        }
        playback.end();
        return through.get();
    }

    /**
     * By the producer's sequences, in the log.
     *
     * @return how many records are stored
     */
    static long bySequence(long arrivals, Path directory) {
        try (EventLog log = Objects.requireNonNull(EventLog.open(directory).block(), "log")) {
            Topic topic = Objects.requireNonNull(log.createTopic("records", 1).block(), "topic");
            long stored = 0;
            List<AppendRecord> run = new ArrayList<>();
            for (long n = 0; n < arrivals; n++) {
                run.add(AppendRecord.to(0, new byte[Long.BYTES]).withSequence(PRODUCER, Resends.record(n)));
                if (run.size() == RUN || n == arrivals - 1) {
                    List<AppendResult> results =
                            Objects.requireNonNull(topic.append(run).block(), "results");
                    stored += results.stream()
                            .filter(result -> !result.duplicate())
                            .count();
                    run.clear();
                }
            }
            return stored;
        }
    }
}
