package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.Loggers;

/**
 * What a pipeline under assembly knows of itself; immutable.
 *
 * @param source where it starts, if that has positions
 * @param everyKey whether every key may come from every partition
 * @param stages how many stateful stages there are: part of their names
 * @param corrects for how long after a window's end the last windowed stage corrects its results, ms
 * @param takesBack whether the last windowed stage takes results back
 * @param keyCodec the codec of the keys of the last window's results
 * @param valueCodec the codec of their values
 * @param functions the functions of operators
 * @param keyed the stages so far that keep state of keys, in their order
 * @param remembers for how long after its time an event can be told from a duplicate, ms, where the stages before the next
 *     window do so; 0 where they don't
 * @param split those of them that are split by key
 */
record Plan(
        @Nullable EventSource<?> source,
        boolean everyKey,
        int stages,
        long corrects,
        boolean takesBack,
        @Nullable KeyCodec<?> keyCodec,
        @Nullable Codec<?> valueCodec,
        Functions functions,
        List<KeyedStage> keyed,
        long remembers,
        Splits split) {

    static Plan local() {
        return new Plan(null, false, 0, 0, false, null, null, Functions.NONE, List.of(), 0, Splits.NONE);
    }

    static Plan of(EventSource<?> source) {
        return new Plan(source, false, 0, 0, false, null, null, Functions.NONE, List.of(), 0, Splits.NONE);
    }

    /** The name of the next stateful stage: stable as long as the stages before it stay. */
    String nextName(String kind) {
        return kind + "-" + (stages + 1);
    }

    Plan next() {
        return new Plan(
                source,
                everyKey,
                stages + 1,
                corrects,
                takesBack,
                keyCodec,
                valueCodec,
                functions,
                keyed,
                remembers,
                split);
    }

    Plan merged() {
        return new Plan(
                source, true, stages, corrects, takesBack, keyCodec, valueCodec, functions, keyed, remembers, split);
    }

    /** Whether a job is one lane over several partitions. */
    boolean isMerged() {
        return everyKey && source != null && source.partitions() > 1;
    }

    Plan withoutCodecs() {
        return new Plan(source, everyKey, stages, corrects, takesBack, null, null, functions, keyed, remembers, split);
    }

    Plan with(Functions others) {
        return new Plan(
                source, everyKey, stages, corrects, takesBack, keyCodec, valueCodec, others, keyed, remembers, split);
    }

    /** How the next operator with a function deals with its failures; null where they end the stream. */
    @Nullable
    FailureGuard nextGuard(String kind) {
        FailureSink sink = failures();
        if (sink == null) {
            return null;
        }
        Counter counter = functions.ofResults() ? Counter.FAILED_RESULTS : Counter.FAILED;
        return new FailureGuard(functions.nextName(kind), counter, sink);
    }

    /** Where goes what the next function fails on; null where that ends the stream. */
    @Nullable
    FailureSink failures() {
        FailureSink sink = functions.policy().failures();
        if (sink != null && split.usesBefore(sink)) {
            throw new IllegalStateException(
                    "a function before the lanes of parallel hands its failures to the same output, and those lanes are on"
                            + " other threads: give onFailure another one behind them");
        }
        if (sink != null && takesBack) {
            throw new IllegalStateException(
                    "the stage before takes results back, and a function that fails on a result may not fail on what"
                            + " takes it back: use FailurePolicy.fail() behind that stage, or an allowed lateness of 0 and"
                            + " no early results in it");
        }
        return sink;
    }

    Plan windowed(WindowSpec windows, Aggregation<?, ?, ?> aggregation, KeyCodec<?> keys, @Nullable Codec<?> values) {
        windows.check();
        String warning = windows.warning();
        if (warning != null) {
            Loggers.getLogger(Plan.class).warn(warning);
        }
        if (remembers > 0 && windows.allowedLatenessMillis() >= remembers) {
            Loggers.getLogger(Plan.class)
                    .warn("events more than " + remembers
                            + " ms late can't be told from duplicates and never reach the "
                            + windows + " windows, which would take them: give the ids a longer time-to-live than the"
                            + " allowed lateness");
        }
        if (takesBack && !windows.hasFixedWindows()) {
            throw new IllegalStateException("the stage before takes results back, which " + windows
                    + " windows can't follow: use tumbling, sliding or calendar windows there, or an allowed lateness"
                    + " of 0 and no early results before it");
        }
        if (takesBack && !aggregation.canSubtract()) {
            throw new IllegalStateException("the stage before takes results back, and " + aggregation
                    + " can't subtract: use an aggregation with subtract, or an allowed lateness of 0 and no early"
                    + " results before it");
        }
        if (takesBack && windows.accumulation() == Accumulation.DISCARD) {
            throw new IllegalStateException(
                    "the stage before takes results back, and a window that discards has forgotten"
                            + " them by then: use another accumulation");
        }
        if (windows.hasFixedWindows() && corrects > windows.allowedLatenessMillis()) {
            String howLong = corrects == WindowSpec.MAX_MILLIS ? "without an end" : "for " + corrects + " ms";
            throw new IllegalStateException("the stage before corrects results " + howLong
                    + ", this one takes corrections for only " + windows.allowedLatenessMillis()
                    + " ms: give it at least that allowed lateness, or the stage before one that ends and no early"
                    + " results of count and global windows");
        }
        return new Plan(
                source,
                everyKey,
                stages + 1,
                windows.correctsMillis(),
                takesBack || windows.emitsRetractions(),
                keys,
                values,
                functions.behindWindow(),
                and(KeyedStage.of(nextName("window"), keys, windows, aggregation)),
                0,
                split);
    }

    /** A stage that is a user's function. */
    Plan processed(KeyedProcess<?, ?, ?> process, KeyCodec<?> keys) {
        if (takesBack && !process.takesRetractions()) {
            throw new IllegalStateException("the stage before takes results back, and " + process
                    + " does not say that it can follow: let it look at sign() and say so in takesRetractions, or use an"
                    + " allowed lateness of 0 and no early results before it");
        }
        boolean retracts = process.emitsRetractions();
        return new Plan(
                source,
                everyKey,
                stages + 1,
                retracts ? corrects : 0,
                retracts,
                null,
                null,
                functions.behindWindow(),
                and(KeyedStage.of(nextName("process"), keys, process)),
                0,
                split);
    }

    /** A stage that takes duplicates out. */
    Plan deduped(long timeToLive, KeyCodec<?> ids) {
        if (takesBack) {
            throw new IllegalStateException(
                    "the stage before takes results back, and what it takes back can't be told from"
                            + " a duplicate: put the dedupe before that stage, or use an allowed lateness of 0 and no early results"
                            + " in it");
        }
        return new Plan(
                source,
                everyKey,
                stages + 1,
                corrects,
                false,
                keyCodec,
                valueCodec,
                functions.next(),
                and(KeyedStage.ofDuplicates(nextName("dedupe"), ids, timeToLive)),
                remembers == 0 ? timeToLive : Math.min(remembers, timeToLive),
                split);
    }

    /**
     * Both sides of a join, before the stage that joins them.
     *
     * @throws IllegalStateException where one takes results back, or only one starts at a source with positions
     */
    Plan joinedWith(Plan right) {
        if (takesBack || right.takesBack) {
            throw new IllegalStateException("the stage before the " + (takesBack ? "left" : "right")
                    + " side of a join takes results back, and what is joined is not: use an allowed lateness of 0 and no"
                    + " early results before it");
        }
        if ((source == null) != (right.source == null)) {
            throw new IllegalStateException("the " + (source == null ? "right" : "left")
                    + " side of a join starts at a source with positions and the other one does not: join two log sources in"
                    + " a job, or two streams without positions");
        }
        List<KeyedStage> both = new ArrayList<>(keyed);
        both.addAll(right.keyed);
        boolean anyKey = everyKey || right.everyKey;
        return new Plan(
                source == null || right.source == null ? null : source.joinedWith(right.source, anyKey),
                anyKey,
                Math.max(stages, right.stages),
                0,
                false,
                null,
                null,
                new Functions(
                        Math.max(functions.count(), right.functions.count()),
                        functions.ofResults(),
                        functions.policy()),
                both,
                0,
                split.and(right.split));
    }

    /** A job has to be told how to keep what is joined. */
    void requireStorable(boolean canBeStored) {
        if (source != null && !canBeStored) {
            throw new IllegalStateException(
                    "a job keeps the events that wait for partners in its store: tell the join how,"
                            + " with storing(leftCodec, rightCodec)");
        }
    }

    /** The stage that joins. */
    Plan joined(KeyedStage stage) {
        return new Plan(
                source, everyKey, stages + 1, 0, false, null, null, functions.behindWindow(), and(stage), 0, split);
    }

    /**
     * The same where the stage that comes next is split by key, before it is added.
     *
     * @param before how that deals with failures of the key, before it is split; null where it does not
     */
    Plan splitNext(String name, Parallelism parallelism, @Nullable FailureGuard before) {
        boolean isUsed = before != null || functions.count() > 0;
        FailureSink sink = functions.policy() == FailurePolicy.skip() || !isUsed
                ? null
                : functions.policy().failures();
        Splits more = split.and(name, parallelism.lanes(), sink);
        return new Plan(
                source, everyKey, stages, corrects, takesBack, keyCodec, valueCodec, functions, keyed, remembers, more);
    }

    /** Refuses to split by key what is not merged. */
    void requireMerged() {
        if (!everyKey) {
            throw new IllegalStateException("parallel divides the keys of one lane over all partitions, and with"
                    + " keyByRecordKey each partition is a lane already: use keyBy, or leave parallel out");
        }
    }

    private List<KeyedStage> and(KeyedStage next) {
        List<KeyedStage> more = new ArrayList<>(keyed);
        more.add(next);
        return List.copyOf(more);
    }

    /** Of this pipeline and another whose events come together. */
    Plan union(Plan other) {
        for (Plan each : List.of(this, other)) {
            if (each.source != null) {
                throw new IllegalStateException(
                        "a union has no positions to go on from, and one of its streams starts at "
                                + each.source.name()
                                + ", which is run as a job: have a job write the one stream to the topic of the"
                                + " other (TransactionalSink.topic), or append both to one topic, whose partitions keyBy merges");
            }
        }
        List<KeyedStage> stagesOfBoth = new ArrayList<>(keyed);
        stagesOfBoth.addAll(other.keyed);
        return new Plan(
                null,
                everyKey || other.everyKey,
                stages + other.stages,
                Math.max(corrects, other.corrects),
                takesBack || other.takesBack,
                null,
                null,
                functions.and(other.functions),
                List.copyOf(stagesOfBoth),
                remembers == 0 || other.remembers == 0
                        ? Math.max(remembers, other.remembers)
                        : Math.min(remembers, other.remembers),
                split.and(other.split));
    }

    /** For a function that can't be trusted to make the same of what takes a result back as of the result. */
    void requireNoRetractions(String verb) {
        if (takesBack) {
            throw new IllegalStateException("the stage before takes results back, and " + verb
                    + " may make something else of what takes one back:"
                    + " use it before that stage, or an allowed lateness of 0 and no early results in it");
        }
    }

    EventSource<?> requireSource(String verb, String remedy) {
        if (source == null) {
            throw new IllegalStateException(
                    verb + " needs a pipeline that starts at a source with positions: " + remedy);
        }
        return source;
    }

    void requireNoSource() {
        if (source != null) {
            throw new IllegalStateException(
                    "a pipeline that starts at " + source.name() + " is run as a job: end it with writeTo");
        }
    }
}
