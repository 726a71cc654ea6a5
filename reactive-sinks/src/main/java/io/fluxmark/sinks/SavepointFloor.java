package io.fluxmark.sinks;

import io.fluxmark.log.RetentionFloor;
import io.fluxmark.log.Topic;
import io.fluxmark.state.Savepoint;
import java.util.Map;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Keeps retention and compaction of a topic from what a job would have to read again after a restore of its newest
 * savepoint. Thread-safe. Disposing lets go of it.
 */
public final class SavepointFloor implements RetentionFloor, Disposable {

    private final String job;
    private final JobTopics topics;
    private final Disposable.Composite registrations = Disposables.composite();
    private volatile Map<Integer, Long> offsets;
    private volatile boolean disposed;

    private SavepointFloor(JobTopics topics, String job, Savepoint newest) {
        this.job = job;
        this.topics = topics;
        this.offsets = offsetsOf(newest, job);
        offsets.keySet().forEach(number -> topics.partition(job, number));
        topics.topics().forEach(topic -> registrations.add(topic.register(this)));
    }

    /**
     * Keeps what is needed from a savepoint on.
     *
     * @param topic what the job reads
     * @param newest a savepoint taken with {@link JobSavepoints#take} that has the job
     */
    public static SavepointFloor register(Topic topic, String job, Savepoint newest) {
        return new SavepointFloor(JobTopics.of(topic), job, newest);
    }

    /** The same of a job that joins two topics. */
    public static SavepointFloor register(Topic left, Topic right, String job, Savepoint newest) {
        return new SavepointFloor(JobTopics.of(left, right), job, newest);
    }

    /** From now on only what is needed from a newer savepoint on: the ones before can't be restored and caught up any more. */
    public void advance(Savepoint newest) {
        offsets = offsetsOf(newest, job);
    }

    /** The offset of the savepoint; everything of a partition that the savepoint does not have. */
    @Override
    public long lowestNeeded(String topic, int partition) {
        return offsets.getOrDefault(topics.number(topic, partition), 0L);
    }

    @Override
    public void dispose() {
        disposed = true;
        registrations.dispose();
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    private static Map<Integer, Long> offsetsOf(Savepoint savepoint, String job) {
        Map<Integer, Long> offsets = JobSavepoints.offsets(savepoint, job);
        if (offsets.isEmpty()) {
            throw new IllegalArgumentException("savepoint " + savepoint.directory()
                    + " does not say where job '" + job
                    + "' was: take it with JobSavepoints.take, and name a job that has run");
        }
        return offsets;
    }
}
