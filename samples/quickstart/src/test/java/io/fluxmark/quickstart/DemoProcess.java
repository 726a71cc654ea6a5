package io.fluxmark.quickstart;

import java.nio.file.Path;

/** The demo in a JVM of its own: data directory, and the commit after which to halt (0 for never). */
final class DemoProcess {

    private DemoProcess() {}

    public static void main(String[] args) {
        DemoSettings settings = DemoSettings.defaults()
                .data(Path.of(args[0]))
                .killAfter(Integer.parseInt(args[1]))
                .full(true);
        System.exit(new Demo(settings, System.out, System.err).run());
    }
}
