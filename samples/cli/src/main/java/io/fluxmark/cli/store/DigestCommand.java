package io.fluxmark.cli.store;

import io.fluxmark.cli.console.Texts;
import io.fluxmark.sinks.DigestScope;
import io.fluxmark.sinks.StoreDigest;
import io.fluxmark.state.StateStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;

/** A hash of what is committed. */
@Command(
        name = "digest",
        description = {
            "Print a hash of all committed rows, revisions and counters: equal for stores with the same contents, whatever their",
            "commits and files are."
        })
final class DigestCommand extends DirectoryCommand {

    @Option(names = "--job", paramLabel = "J", description = "Only the sinks and counters of this job.")
    private @Nullable String job;

    @Option(names = "--sink", paramLabel = "S", description = "Only the rows of this sink.")
    private @Nullable String sink;

    @Option(
            names = "--without-job-names",
            description = "The same whatever the jobs are called, as after a restore under another name.")
    private boolean withoutJobNames;

    @Override
    int run() throws IOException {
        if (job != null && sink != null) {
            throw usage("--job and --sink exclude each other: a sink's rows are the same whoever wrote them");
        }
        StoreDigest digest;
        try (StateStore store = open()) {
            DigestScope scope = scope(store);
            digest = get(StoreDigest.of(store, withoutJobNames ? scope.withoutJobNames() : scope));
        }
        console().print(digest.hash() + "  " + counts(digest));
        return 0;
    }

    private static String counts(StoreDigest digest) {
        String counts = Texts.count(digest.rows(), "row") + ", " + Texts.count(digest.changes(), "change") + ", "
                + Texts.count(digest.late(), "late event");
        if (digest.dead() > 0) {
            counts += ", " + Texts.count(digest.dead(), "dead letter");
        }
        if (digest.side() > 0) {
            counts += ", " + Texts.count(digest.side(), "diverted event");
        }
        return counts;
    }

    private DigestScope scope(StateStore store) {
        if (job != null) {
            Flux<String> names = Flux.fromIterable(jobs(store)).map(each -> each.name());
            if (!get(names.hasElement(job))) {
                throw usage("there is no job '" + job + "' in " + directory() + ", " + known(names));
            }
            return DigestScope.job(job);
        }
        if (sink != null) {
            Flux<String> names = Flux.fromIterable(jobs(store))
                    .flatMapIterable(each -> each.sinks())
                    .map(each -> each.name());
            if (!get(names.hasElement(sink))) {
                throw usage("there is no sink '" + sink + "' in " + directory() + ", " + known(names));
            }
            return DigestScope.sink(sink);
        }
        return DigestScope.everything();
    }
}
