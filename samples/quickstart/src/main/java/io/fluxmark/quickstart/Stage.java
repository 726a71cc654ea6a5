package io.fluxmark.quickstart;

/** The stages of the main job, for its profile. */
enum Stage {
    FEED("feed (client)"),
    HTTP("HTTP"),
    APPEND("append"),
    DECODE("read, decode"),
    WINDOW("window"),
    COMMIT("commit");

    private final String label;

    Stage(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
