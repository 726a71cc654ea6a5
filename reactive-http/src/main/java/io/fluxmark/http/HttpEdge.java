package io.fluxmark.http;

import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.HealthRules;
import io.fluxmark.sinks.JobMonitor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpResources;
import reactor.netty.http.server.HttpServer;

/**
 * An HTTP server in front of a log: appends CloudEvents, tells offsets, streams the results of queries (see the package
 * description for the calls). Immutable: each method returns a changed copy; nothing happens before {@link #bind()} is subscribed to.
 *
 * <pre>{@code
 * DisposableServer server = HttpEdge.create(log)
 *     .port(8080)
 *     .query("totals", () -> store.rows("totals"))
 *     .bind()
 *     .block();
 * }</pre>
 *
 * <p><b>Bounds.</b> A body is held only while it arrives and is parsed; {@link HttpLimits} bounds its bytes, its time and how many
 * there are; what waits for the disk is bounded by the log's append queue, and a body that finds it full is answered 503 with {@code
 * Retry-After} and not stored in part. Results are produced only as fast as the client reads.
 *
 * <p><b>Threads.</b> Requests are handled on Reactor Netty's event loops and never block them; rows are requested from there, so
 * publishers of rows must not block either ({@code subscribeOn} a scheduler that may).
 */
public final class HttpEdge {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final int MAX_PORT = 65_535;

    private final EventLog log;
    private final String host;
    private final int port;
    private final HttpLimits limits;
    private final Scheduler timer;
    private final Map<String, Supplier<? extends Publisher<?>>> queries;
    private final Map<String, HealthHandler.WatchedJob> jobs;
    private final @Nullable Supplier<String> metrics;

    private HttpEdge(
            EventLog log,
            String host,
            int port,
            HttpLimits limits,
            Scheduler timer,
            Map<String, Supplier<? extends Publisher<?>>> queries,
            Map<String, HealthHandler.WatchedJob> jobs,
            @Nullable Supplier<String> metrics) {
        this.log = log;
        this.host = host;
        this.port = port;
        this.limits = limits;
        this.timer = timer;
        this.queries = queries;
        this.jobs = jobs;
        this.metrics = metrics;
    }

    /**
     * An edge for the log on a free port of the loopback address, with default limits and without queries. It neither opens nor
     * closes the log.
     */
    public static HttpEdge create(EventLog log) {
        Objects.requireNonNull(log, "log");
        return new HttpEdge(
                log, "127.0.0.1", 0, HttpLimits.defaults(), Schedulers.parallel(), Map.of(), Map.of(), null);
    }

    /** The address to listen on. There is no authentication: put something in front before leaving the loopback address. */
    public HttpEdge host(String value) {
        return new HttpEdge(log, Objects.requireNonNull(value, "host"), port, limits, timer, queries, jobs, metrics);
    }

    /**
     * The port to listen on.
     *
     * @param value 0 for a free one ({@link DisposableServer#port()} tells which), to 65535
     */
    public HttpEdge port(int value) {
        if (value < 0 || value > MAX_PORT) {
            throw new IllegalArgumentException("port must be between 0 (a free one) and 65535 but was " + value);
        }
        return new HttpEdge(log, host, value, limits, timer, queries, jobs, metrics);
    }

    /** What is accepted at most. */
    public HttpEdge limits(HttpLimits value) {
        return new HttpEdge(log, host, port, Objects.requireNonNull(value, "limits"), timer, queries, jobs, metrics);
    }

    /** The clock of {@link HttpLimits#bodyTimeout()}; {@link Schedulers#parallel()} unless set. */
    public HttpEdge timer(Scheduler value) {
        return new HttpEdge(log, host, port, limits, Objects.requireNonNull(value, "timer"), queries, jobs, metrics);
    }

    /**
     * Serves {@code GET /v1/queries/{name}/results}.
     *
     * <p>Each request asks {@code rows} for a publisher and subscribes to it once; each row becomes one line, as Jackson writes it by
     * default (records, beans and maps; offsets beyond 2^53 had better be strings). Rows are requested as the client's socket takes
     * them, at most 128 ahead of it; a client that goes away cancels. An error before the first row is answered 500, a later one cuts
     * the connection without the end of the chunked body.
     *
     * @param name letters, digits, {@code .}, {@code _} and {@code -}, 1 to 200 characters; not used before
     * @param rows committed rows only, since what is served may be acted upon
     */
    public HttpEdge query(String name, Supplier<? extends Publisher<?>> rows) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(rows, "rows");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "query name must match " + NAME.pattern() + " to fit into an address but was '" + name + "'");
        }
        Map<String, Supplier<? extends Publisher<?>>> more = new LinkedHashMap<>(queries);
        if (more.putIfAbsent(name, rows) != null) {
            throw new IllegalArgumentException("query '" + name + "' is registered already; use another name");
        }
        return new HttpEdge(log, host, port, limits, timer, Collections.unmodifiableMap(more), jobs, metrics);
    }

    /**
     * Has {@code GET /health} and {@code /health/ready} tell whether a job is well, 503 where one is down, and {@code GET
     * /v1/jobs/{name}} in words what it does and why its windows have not fired.
     *
     * @param rules when a job that runs is no longer well
     */
    public HttpEdge job(JobMonitor monitor, HealthRules rules) {
        Objects.requireNonNull(rules, "rules");
        Map<String, HealthHandler.WatchedJob> more = new LinkedHashMap<>(jobs);
        if (more.putIfAbsent(monitor.job(), new HealthHandler.WatchedJob(monitor, rules)) != null) {
            throw new IllegalArgumentException("job '" + monitor.job() + "' is registered already");
        }
        return new HttpEdge(log, host, port, limits, timer, queries, Collections.unmodifiableMap(more), metrics);
    }

    /**
     * Serves {@code GET /metrics}.
     *
     * @param scrape gives the meters as Prometheus text, as {@code PrometheusMeterRegistry::scrape} of Micrometer does; called on
     *     an event loop, so it must not block
     */
    public HttpEdge metrics(Supplier<String> scrape) {
        return new HttpEdge(log, host, port, limits, timer, queries, jobs, Objects.requireNonNull(scrape, "scrape"));
    }

    /**
     * Starts a server for each subscriber. Dispose of it to stop listening; the log stays open.
     *
     * @return the server, once it listens; an error if it can't
     */
    public Mono<? extends DisposableServer> bind() {
        return Mono.defer(() -> {
            BodyReader bodies = new BodyReader(limits, timer);
            EdgeRouter router = new EdgeRouter(
                    limits,
                    new AppendHandler(log, limits, bodies),
                    new StreamHandler(log),
                    new QueryHandler(queries, limits),
                    new HealthHandler(jobs),
                    metrics);
            return HttpServer.create()
                    // Not the native transport: under it, now and then, a kept connection is never read again although
                    // bytes wait in its socket.
                    .runOn(HttpResources.get(), false)
                    .host(host)
                    .port(port)
                    .doOnChannelInit((observer, channel, remote) ->
                            channel.pipeline().addFirst("fluxmark.lingeringClose", new LingeringClose()))
                    .handle(router)
                    .bind();
        });
    }
}
