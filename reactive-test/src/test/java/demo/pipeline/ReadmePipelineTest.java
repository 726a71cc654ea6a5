package demo.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.state.StateStore;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pipeline on the README's first screen, taken from there, compiled and run. */
class ReadmePipelineTest {

    private static final String PROGRAM =
            """
            import static java.time.Duration.ofMinutes;
            import static java.time.Duration.ofSeconds;

            import io.fluxmark.log.*;
            import io.fluxmark.sinks.*;
            import io.fluxmark.state.*;
            import io.fluxmark.windows.*;
            import java.util.*;
            import reactor.core.publisher.*;

            public class Readme {
                public record Order(String customer, long placedAt, long amount) {}

                public static List<String> run(EventLog log, StateStore store) {
                    List<AppendRecord> records = new ArrayList<>();
                    for (long[] order : new long[][] {{1_000, 5}, {2_000, 7}, {61_000, 1}, {3_000, -9}, {200_000, 2}, {4_000, 3}}) {
                        records.add(EventCodec.json(Order.class, Order::customer)
                                .encode(new Order("anna", order[0], order[1])));
                    }
                    log.createTopic("orders", 2).flatMap(topic -> topic.append(records)).block();
                    List<Order> tooLate = Collections.synchronizedList(new ArrayList<>());
                    TableSink<String, Long> totals = TransactionalSink.table(store, "totals");
            %s
                    job.takeUntil(checkpoint -> checkpoint.lanes().stream()
                                    .flatMap(lane -> lane.positions().stream())
                                    .anyMatch(position -> position.nextOffset() == records.size()))
                            .blockLast(ofSeconds(30));
                    List<String> out = new ArrayList<>();
                    totals.rows().toIterable().forEach(row ->
                            out.add(row.key() + " " + row.window().start() + " " + row.value()));
                    tooLate.forEach(order -> out.add("late " + order.amount()));
                    return out;
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void compilesAndCountsWhatItSays() throws Exception {
        Path source = directory.resolve("Readme.java");
        Files.writeString(source, PROGRAM.formatted(pipeline()));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        directory.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(result).as("javac on the README's pipeline").isZero();

        Duration patience = Duration.ofSeconds(30);
        try (URLClassLoader loader = new URLClassLoader(
                        new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
                EventLog log = EventLog.open(directory.resolve("log")).block(patience);
                StateStore store = StateStore.open(directory.resolve("state")).block(patience)) {
            Object rows = loader.loadClass("Readme")
                    .getMethod("run", EventLog.class, StateStore.class)
                    .invoke(null, log, store);
            assertThat(rows).isEqualTo(List.of("anna 0 12", "anna 60000 1", "late 3"));
        }
    }

    private static String pipeline() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("README.md"))) {
            root = root.getParent();
        }
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(root.resolve("README.md")));
        assertThat(block.find()).as("the README has a pipeline").isTrue();
        assertThat(block.group(1).lines()).hasSizeLessThanOrEqualTo(12);
        return block.group(1);
    }
}
