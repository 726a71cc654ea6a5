package io.fluxmark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fluxmark.sinks.HealthRules;
import io.fluxmark.sinks.JobHealth;
import io.fluxmark.sinks.JobMonitor;
import io.fluxmark.sinks.JobObservation;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code GET /health}: whether every registered job is well, 503 where one is down. {@code GET /v1/jobs/{j}}: one of them in
 * words.
 */
final class HealthHandler {

    /** A job that is looked at, and by which rules. */
    record WatchedJob(JobMonitor monitor, HealthRules rules) {}

    /** A job and what was found of it; null where that could not be had. */
    private record Found(String job, JobHealth health, @Nullable JobObservation observation) {}

    private final Map<String, WatchedJob> jobs;

    HealthHandler(Map<String, WatchedJob> jobs) {
        this.jobs = jobs;
    }

    /** The process answers: that is all it says. */
    static Reply live() {
        return Reply.json(Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("status", "up");
            json.writeEndObject();
        }));
    }

    Mono<Reply> health() {
        return Flux.fromIterable(jobs.values())
                .concatMap(HealthHandler::find)
                .collectList()
                .map(HealthHandler::reply);
    }

    /** The store is read, and so perhaps the disk, which no event loop may wait for. */
    private static Mono<JobObservation> observe(WatchedJob job) {
        return job.monitor().observe().subscribeOn(Schedulers.boundedElastic());
    }

    private static Mono<Found> find(WatchedJob job) {
        String name = job.monitor().job();
        return observe(job)
                .map(seen -> new Found(name, seen.health(job.rules()), seen))
                .onErrorResume(error -> Mono.just(new Found(
                        name,
                        new JobHealth(JobHealth.Status.DOWN, List.of("it can't be looked at: " + error.getMessage())),
                        null)));
    }

    private static Reply reply(List<Found> all) {
        JobHealth.Status worst = all.stream()
                .map(found -> found.health().status())
                .max(JobHealth.Status::compareTo)
                .orElse(JobHealth.Status.UP);
        byte[] body = Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("status", name(worst));
            if (!all.isEmpty()) {
                json.writeObjectFieldStart("jobs");
                for (Found found : all) {
                    write(json, found);
                }
                json.writeEndObject();
            }
            json.writeEndObject();
        });
        HttpResponseStatus status =
                worst == JobHealth.Status.DOWN ? HttpResponseStatus.SERVICE_UNAVAILABLE : HttpResponseStatus.OK;
        return new Reply(status, "application/json", body, null, null, false);
    }

    private static String name(JobHealth.Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }

    private static void write(JsonGenerator json, Found found) throws IOException {
        json.writeObjectFieldStart(found.job());
        json.writeStringField("status", name(found.health().status()));
        json.writeArrayFieldStart("reasons");
        for (String reason : found.health().reasons()) {
            json.writeString(reason);
        }
        json.writeEndArray();
        JobObservation seen = found.observation();
        if (seen != null) {
            json.writeStringField("state", seen.state().name().toLowerCase(Locale.ROOT));
            json.writeNumberField("lag", seen.lag());
            json.writeNumberField("restarts", seen.restarts());
        }
        json.writeEndObject();
    }

    /** A job in words, as {@link JobObservation#text} says them. */
    Mono<Reply> describe(String name) {
        WatchedJob job = jobs.get(name);
        if (job == null) {
            return Mono.error(new ProblemException(
                    HttpResponseStatus.NOT_FOUND,
                    "unknown job " + Attributes.quoted(name) + "; known are " + jobs.keySet()));
        }
        return observe(job).map(seen -> Reply.text(seen.text() + "\n"));
    }
}
