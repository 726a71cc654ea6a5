package io.fluxmark.quickstart;

import java.io.PrintStream;

/** The main job, from the flights file to the first screen. */
public final class Demo {

    private final DemoSettings settings;
    private final PrintStream out;

    public Demo(DemoSettings settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        out.flush();
        err.flush();
    }

    /** Runs it; 0 if the output equals the batch result. */
    public int run() {
        out.println("delay " + settings.delay());
        return 1;
    }
}
