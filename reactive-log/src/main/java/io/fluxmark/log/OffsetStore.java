package io.fluxmark.log;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Where groups keep their offsets. The default is a file for each group in the log's directory. Implementations are thread-safe; nothing
 * happens before subscription; results may come on any thread.
 *
 * <p>One log at a time uses the offsets of a group, and never has two writes of one group under way.
 */
public interface OffsetStore {

    /** The names of the groups there are, in any order. */
    Flux<String> groups();

    /** What a group has committed; empty if there is no such group. */
    Mono<GroupOffsets> load(String group);

    /**
     * Puts offsets over what the group has, all of them or none, creating the group if need be. A lower offset than before is put as
     * well: who may commit what has been decided.
     *
     * @return completes when they survive a power cut. After an error they may be there or not
     */
    Mono<Void> commit(GroupOffsets changes);

    /** Forgets a group durably; completes also if there is none. */
    Mono<Void> remove(String group);
}
