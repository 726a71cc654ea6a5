package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StageSamplerTest {

    @Test
    void theInnermostCodeOfAStageDecides() {
        assertThat(stage("java.util.HashMap.get", "io.fluxmark.windows.Panes.add", "io.fluxmark.log.Reader.run"))
                .isEqualTo(Stage.WINDOW);
        assertThat(stage("com.fasterxml.jackson.X.y", "io.fluxmark.log.JacksonEventCodec.decode"))
                .isEqualTo(Stage.DECODE);
        assertThat(stage("sun.nio.ch.X.force", "io.fluxmark.log.FileLogStorage.force"))
                .isEqualTo(Stage.APPEND);
        assertThat(stage("org.h2.mvstore.MVStore.commit", "io.fluxmark.state.StoreThread.run"))
                .isEqualTo(Stage.COMMIT);
        assertThat(stage("com.fasterxml.jackson.X.y", "io.fluxmark.http.EventLines.parse"))
                .isEqualTo(Stage.HTTP);
    }

    @Test
    void whatWaitsOrIsForeignCountsForNothing() {
        assertThat(stage("jdk.internal.misc.Unsafe.park", "io.fluxmark.log.Writer.run"))
                .isNull();
        assertThat(stage("io.netty.channel.epoll.Native.epollWait", "io.netty.channel.epoll.Loop.run"))
                .isNull();
        assertThat(stage("java.lang.String.format")).isNull();
        assertThat(StageSampler.stage(stack("io.fluxmark.http.A.b"), Thread.State.BLOCKED))
                .isNull();
    }

    private static Stage stage(String... frames) {
        return StageSampler.stage(stack(frames), Thread.State.RUNNABLE);
    }

    private static StackTraceElement[] stack(String... frames) {
        return Arrays.stream(frames)
                .map(frame -> {
                    int dot = frame.lastIndexOf('.');
                    return new StackTraceElement(frame.substring(0, dot), frame.substring(dot + 1), null, 1);
                })
                .toArray(StackTraceElement[]::new);
    }
}
