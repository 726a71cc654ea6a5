package demo.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/testing.md, taken from there, compiled and run. */
class TestingPageTest {

    private static final String PROGRAM =
            """
            import static java.time.Duration.ofMinutes;
            import static java.time.Duration.ofSeconds;

            import io.fluxmark.log.*;
            import io.fluxmark.sinks.*;
            import io.fluxmark.state.*;
            import io.fluxmark.test.*;
            import io.fluxmark.windows.*;
            import java.nio.file.Path;
            import java.util.*;
            import java.util.stream.*;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.api.io.TempDir;
            import reactor.core.publisher.*;

            public class Page {
                public record Order(String customer, long placedAt, long amount) {
                    static Stream<Order> some(int count) {
                        return IntStream.range(0, count)
                                .mapToObj(i -> new Order("c" + i %% 7, i * 2_000L - i %% 5 * 9_000L, i %% 4));
                    }
                }

                public static long window() {
                    List<Order> orders = Order.some(200).toList();
                    return
            %s
                            .events();
                }

                static %s
            }
            """;

    @TempDir
    Path directory;

    @Test
    void theExamplesOfTheTestingPageCompileAndPass() throws Exception {
        Matcher blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(root().resolve("docs/testing.md")));
        assertThat(blocks.find()).as("a whole test").isTrue();
        String job = blocks.group(1);
        assertThat(blocks.find()).as("a window").isTrue();
        String window = blocks.group(1).strip();
        assertThat(job.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(21);
        Path source = directory.resolve("Page.java");
        Files.writeString(source, PROGRAM.formatted(window.substring(0, window.length() - 1), job));
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
        assertThat(result).as("javac on the page's examples").isZero();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            assertThat(loader.loadClass("Page").getMethod("window").invoke(null))
                    .isEqualTo(200L);
            Class<?> example = loader.loadClass("Page$OrderTotals");
            Method test = example.getDeclaredMethod("survivesWhatCanHappen", Path.class);
            test.setAccessible(true);
            var constructor = example.getDeclaredConstructor();
            constructor.setAccessible(true);
            test.invoke(constructor.newInstance(), Files.createDirectory(directory.resolve("run")));
        }
    }

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("CONTRIBUTING.md"))) {
            root = root.getParent();
        }
        return root;
    }
}
