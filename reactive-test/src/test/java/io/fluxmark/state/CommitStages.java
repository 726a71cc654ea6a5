package io.fluxmark.state;

import java.util.function.Consumer;

/** Lets tests outside this package hold or fail a commit at a stage of it. */
public final class CommitStages {

    private CommitStages() {}

    /** Has {@code listener} told, on the store thread, by the name of each {@link CommitStage}. */
    public static StoreSpec watched(StoreSpec spec, Consumer<String> listener) {
        return spec.onStage(stage -> listener.accept(stage.name()));
    }
}
