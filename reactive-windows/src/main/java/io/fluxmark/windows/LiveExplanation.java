package io.fluxmark.windows;

import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tells, at any time and from any thread, why the windows of one operator in one lane have not fired, or no timer is called. */
public final class LiveExplanation {

    private final String operator;
    private final Mono<Explanation> answer;

    LiveExplanation(String operator, Mono<Explanation> answer) {
        this.operator = operator;
        this.answer = answer;
    }

    /** Of an operator that is split by key: all of its groups together. */
    static LiveExplanation ofAll(String operator, List<LiveExplanation> groups) {
        return new LiveExplanation(
                operator,
                Flux.fromIterable(groups)
                        .flatMap(LiveExplanation::explain, groups.size())
                        .reduce(Explanation::and)
                        .map(all -> all.of(operator)));
    }

    /** The operator's name. */
    public String operator() {
        return operator;
    }

    /**
     * Why the windows, or timers, stand where they do now; asked anew by each subscription. Needs no demand, disturbs nothing, and is
     * answered also when the stream is idle or over.
     *
     * <p>The lane answers between two elements, on the thread that is at work in it, or on the subscriber's when none is: do
     * not block in what follows it, and never wait for the answer on a lane's own thread. A lane that is stuck in
     * somebody's code answers when it comes back; errors with {@link IllegalStateException} where more than a thousand
     * questions wait for that.
     */
    public Mono<Explanation> explain() {
        return answer;
    }
}
