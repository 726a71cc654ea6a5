package io.fluxmark.sinks;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.Partition;
import io.fluxmark.state.LaneSession;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.StreamElement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs a job: opens its lanes, checks that what is restored fits, and turns durable transactions into checkpoints. */
final class JobRunner<T> {

    /** The lane value that holds what must not change between runs. */
    static final String IDENTITY = "identity";

    private final TransactionalSink<T> sink;
    private final JobDefinition<? extends T> definition;
    private final Job job;
    private final JobFloor floor;

    private JobRunner(TransactionalSink<T> sink, JobDefinition<? extends T> definition, Job job, JobFloor floor) {
        this.sink = sink;
        this.definition = definition;
        this.job = job;
        this.floor = floor;
    }

    static <T> Flux<Checkpoint> of(
            TransactionalSink<T> sink, JobDefinition<? extends T> definition, CheckpointSpec spec) {
        String name = requireName(spec);
        List<LogSource.TopicSource> sources = sources(definition);
        ConsumerGroup group = sources.get(0).group();
        String identity = identity(sources)
                + (definition.merged() ? " merged, " : ", ")
                + divided(definition)
                + sink.identity(definition);
        if (group != null) {
            requireShareable(name, definition, spec);
        }
        Job job = new Job(
                JobDescription.of(sink, definition, spec),
                identity,
                sources,
                sink.store(),
                spec,
                definition.split(),
                definition.lanes());
        return Flux.using(
                () -> RunningJobs.claim(sink.store(), name, job.topics(), group),
                claim -> {
                    JobRunner<T> runner = new JobRunner<>(sink, definition, job, claim.floor());
                    Submissions submissions = new Submissions(job.lanes());
                    Flux<Checkpoint> checkpoints = Checkpoints.of(name, submissions, runner.lanes(submissions));
                    return RunningJobs.progress(sink.store(), name)
                            .watch(checkpoints, spec.interval(), spec.scheduler())
                            .doOnComplete(claim::end)
                            .doOnCancel(claim::end);
                },
                RunningJobs.Claim::release);
    }

    /** State is in groups of keys in stages that are divided, among however many lanes. */
    private static String divided(JobDefinition<?> definition) {
        return definition.split().isEmpty() ? "" : "parallel " + String.join(" and ", definition.split()) + ", ";
    }

    static String requireName(CheckpointSpec spec) {
        String name = spec.name();
        if (name == null) {
            throw new IllegalStateException(
                    "a job has a name, under which it finds its state again: CheckpointSpec.named");
        }
        return name;
    }

    private static String identity(List<LogSource.TopicSource> sources) {
        return sources.stream()
                .map(LogSource.TopicSource::topic)
                .map(topic -> "topic " + topic.name() + ", " + topic.partitionCount() + " partitions")
                .collect(Collectors.joining(" joined with "));
    }

    /** The topic that a job reads, or the two of a join. */
    static List<LogSource.TopicSource> sources(JobDefinition<?> definition) {
        if (definition.source() instanceof LogSource.TopicSource source) {
            return List.of(source);
        }
        if (definition.source() instanceof JoinedTopics joined) {
            return joined.both();
        }
        throw new IllegalStateException(
                "a transactional sink runs jobs over a LogSource, not over " + definition.source());
    }

    private static void requireShareable(String name, JobDefinition<?> definition, CheckpointSpec spec) {
        if (definition.merged()) {
            throw new IllegalStateException(
                    "job " + name + " has one lane over all partitions, which a group can't divide:"
                            + " use keyByRecordKey, or leave assignedBy out");
        }
        if (spec.drain() != null) {
            throw new IllegalStateException(
                    "job " + name + " is shared by a group, of which no member can drain all lanes:"
                            + " stop the members (stopWhen), and drain it without assignedBy");
        }
    }

    private Flux<LaneWriter.Committed> lanes(Submissions submissions) {
        return job.group() == null ? allLanes(submissions) : sharedLanes(job.group(), submissions);
    }

    /** The lanes of the partitions that this subscription holds in the group. */
    private Flux<LaneWriter.Committed> sharedLanes(ConsumerGroup group, Submissions submissions) {
        Flux<LaneWriter.Committed> lanes = SharedLanes.of(
                group, job.topic().name(), job.spec().stop(), (lane, stop) -> open(lane, submissions, stop)
                        .flatMapMany(this::run));
        return JobStatus.read(job.store(), job.name(), job.topic()).flatMapMany(status -> {
            if (status.finished()) {
                throw new IllegalStateException(
                        "job " + job.name() + " was drained, and has no lanes left to share: give the"
                                + " job a new name, or run it without assignedBy to have delivered what it left");
            }
            return lanes;
        });
    }

    private Flux<LaneWriter.Committed> allLanes(Submissions submissions) {
        return Flux.range(0, job.lanes())
                .concatMap(lane -> open(lane, submissions, Mono.never()))
                .collectList()
                .elapsed(job.spec().scheduler())
                .map(opened -> {
                    CheckpointCosts costs = RunningJobs.costs(job.store(), job.name());
                    costs.restarted(TimeUnit.MILLISECONDS.toNanos(opened.getT1()));
                    return opened.getT2();
                })
                .flatMapMany(lanes -> {
                    List<Flux<LaneWriter.Committed>> running = new ArrayList<>();
                    for (JobLane lane : lanes) {
                        running.add(run(lane));
                    }
                    return Flux.merge(Flux.fromIterable(running), Math.max(1, running.size()), 1)
                            .onErrorMap(Exceptions::isMultiple, JobRunner::first);
                });
    }

    /** Lanes that fail together, as all do with their store, would hide in a composite what a retry asks for. */
    private static Throwable first(Throwable several) {
        List<Throwable> failures = Exceptions.unwrapMultiple(several);
        Throwable first = failures.get(0);
        for (Throwable other : failures) {
            if (other != first) {
                first.addSuppressed(other);
            }
        }
        return first;
    }

    private Mono<JobLane> open(int lane, Submissions submissions, Mono<Void> stop) {
        Mono<JobLane> opened =
                job.store().openLane(job.name(), lane).map(session -> restore(lane, session, submissions, stop));
        return job.merged() ? requireNoOtherLanes().then(opened) : opened;
    }

    /** A job that was not merged may have left the first lane empty, whose identity would tell. */
    private Mono<Void> requireNoOtherLanes() {
        return Flux.range(1, job.topic().partitionCount() - 1)
                .concatMap(other -> job.store().longs(job.name(), other, LanePosition.OPERATOR, LanePosition.NAME))
                .doOnNext(position -> {
                    throw changed("a lane for each partition");
                })
                .then();
    }

    private IllegalStateException changed(String before) {
        return new IllegalStateException("job " + job.name() + " was run as [" + before + "] and is now ["
                + job.identity() + "]: give the changed job a new name");
    }

    private JobLane restore(int number, LaneSession session, Submissions submissions, Mono<Void> stop) {
        byte @Nullable [] stored = session.restored().value(IDENTITY);
        if (stored != null) {
            String before = new String(stored, StandardCharsets.UTF_8);
            if (!before.equals(job.identity())) {
                throw changed(before);
            }
        }
        JobLane lane = new JobLane(job, number, session, submissions, floor, stop);
        for (int i = 0; i < lane.sources().size(); i++) {
            checkEnd(
                    lane.sources().get(i),
                    lane.start().nextOffset(i),
                    lane.start().finished());
        }
        return lane;
    }

    private void checkEnd(Partition partition, long committed, boolean finished) {
        long end = partition.endOffset();
        if (committed > end) {
            throw new IllegalStateException("job " + job.name() + " has committed offset " + committed
                    + " of partition " + partition.id() + " of " + partition.topic() + ", and the log ends at " + end
                    + ": the log was lost or replaced; restore it, or run the job under a new name");
        }
        if (finished && committed < end) {
            throw new IllegalStateException(
                    "job " + job.name() + " was drained at offset " + committed + " of partition "
                            + partition.id() + " of " + partition.topic() + ", and the log has records up to " + end
                            + ": a drained job has fired all its windows and can't take more; give the job a new name");
        }
    }

    private Flux<LaneWriter.Committed> run(JobLane lane) {
        RowWriter<T> rows = sink.open(definition, lane);
        Deliveries deliveries = new Deliveries(rows.deliveries(), lane.session());
        Flux<LaneWriter.Committed> written = lane.start().finished() ? Flux.empty() : write(lane, rows, deliveries);
        if (deliveries.isEmpty()) {
            return written;
        }
        Mono<LaneWriter.Committed> delivered = deliveries.run().then(Mono.empty());
        return Flux.merge(1, written.doOnComplete(deliveries::laneEnded), delivered);
    }

    @SuppressWarnings("unchecked") // the sink takes a supertype of what the pipeline emits, and only reads it
    private Flux<LaneWriter.Committed> write(JobLane lane, RowWriter<T> rows, Deliveries deliveries) {
        Flux<StreamElement<T>> elements = Flux.defer(
                () -> (Flux<StreamElement<T>>) (Flux<?>) definition.recipe().apply(lane));
        return new LaneFlux<>(elements, actual -> new LaneWriter<T>(actual, lane, rows, deliveries));
    }
}
