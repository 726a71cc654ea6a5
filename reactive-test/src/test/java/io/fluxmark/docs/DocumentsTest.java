package io.fluxmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents name has to exist: the tests behind the rules, and the files that are linked. */
class DocumentsTest {

    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)(?:\\.(\\w+))?`");
    private static final Pattern LINK = Pattern.compile("\\]\\((?!http)([^)#]+)\\)");

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("CONTRIBUTING.md"))) {
            root = root.getParent();
        }
        return root;
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(root());
                Stream<Path> docs = Files.walk(root().resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static Map<String, String> tests() throws IOException {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(path -> path.toString().endsWith("Test.java")
                            && path.toString().contains("/src/test/"))
                    .collect(Collectors.toMap(
                            path -> path.getFileName().toString().replace(".java", ""),
                            DocumentsTest::text,
                            (one, other) -> one + other,
                            TreeMap::new));
        }
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void everyTestNamedInADocumentExists() throws IOException {
        Map<String, String> tests = tests();
        int named = 0;
        for (Path document : documents()) {
            Matcher name = TEST.matcher(text(document));
            while (name.find()) {
                named++;
                assertThat(tests).as("%s names %s", document, name.group()).containsKey(name.group(1));
                if (name.group(2) != null) {
                    assertThat(tests.get(name.group(1)))
                            .as("%s names %s", document, name.group())
                            .contains("void " + name.group(2) + "(");
                }
            }
        }
        assertThat(named).isGreaterThan(15);
    }

    @Test
    void everyRuleOfTheSemanticsNamesATest() throws IOException {
        String[] sections = text(root().resolve("docs/semantics.md")).split("(?m)^## ", -1);
        for (int i = 1; i < sections.length; i++) {
            assertThat(TEST.matcher(sections[i]).find())
                    .as(
                            "a test named in section %s",
                            sections[i].lines().findFirst().orElseThrow())
                    .isTrue();
        }
        assertThat(sections.length).isGreaterThan(40);
    }

    @Test
    void everyLinkedFileExists() throws IOException {
        int links = 0;
        for (Path document : documents()) {
            Matcher link = LINK.matcher(text(document));
            while (link.find()) {
                links++;
                assertThat(document.resolveSibling(link.group(1)))
                        .as("%s links %s", document, link.group(1))
                        .exists();
            }
        }
        assertThat(links).isGreaterThan(15);
    }
}
