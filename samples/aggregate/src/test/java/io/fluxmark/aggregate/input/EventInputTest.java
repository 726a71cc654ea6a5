package io.fluxmark.aggregate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.aggregate.UsageException;
import io.fluxmark.aggregate.input.InputFormat.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventInputTest {

    private static final InputStream NOTHING = InputStream.nullInputStream();

    @TempDir
    private Path directory;

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private Kind guess(String name, String content) throws IOException {
        Path file = Files.writeString(directory.resolve(name), content);
        try (EventInput input = EventInput.open(file.toString(), null, NOTHING)) {
            return input.format().kind();
        }
    }

    @Test
    void gzipIsToldByItsFirstBytesAndNotByItsName() throws Exception {
        Path file = Files.write(directory.resolve("events.ndjson"), gzip("{\"t\":1}\n"));
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        parts.write(gzip("{\"t\":1}\n"));
        parts.write(gzip("{\"t\":2}\n"));
        for (EventInput input : new EventInput[] {
            EventInput.open(file.toString(), null, NOTHING),
            EventInput.open("-", null, new ByteArrayInputStream(parts.toByteArray())),
            EventInput.open("-", null, new ByteArrayInputStream("{\"t\":1}\n".getBytes(StandardCharsets.UTF_8)))
        }) {
            try (input) {
                assertThat(input.format().kind()).isEqualTo(Kind.NDJSON);
                assertThat(input.records().next().text(Field.of("t"))).isEqualTo("1");
            }
        }
    }

    @Test
    void theFormatIsGuessedByNameThenByTheFirstLine() throws IOException {
        assertThat(guess("a.jsonl", "")).isEqualTo(Kind.NDJSON);
        assertThat(guess("a.csv", "x\n")).isEqualTo(Kind.CSV);
        assertThat(guess("a.tsv", "x\n")).isEqualTo(Kind.TSV);
        assertThat(guess("dns.log", "#separator \\x09\n#fields\ta\n")).isEqualTo(Kind.ZEEK);
        assertThat(guess("access.log", "h - - [17/May/2015:10:05:03 +0000] \"GET /\" 200 1\n"))
                .isEqualTo(Kind.CLF);
        assertThat(guess("x", "{\"a\":1}\n{\"a\":2}\n")).isEqualTo(Kind.NDJSON);
        assertThat(guess("x", "a\tb,c\n")).isEqualTo(Kind.TSV);
        assertThat(guess("x", "a,b\n")).isEqualTo(Kind.CSV);
        assertThatThrownBy(() -> guess("x.json", "{\n\"a\":[]}")).hasMessageContaining("--format json:POINTER");
        assertThatThrownBy(() -> guess("x.txt", "hello\n")).hasMessageContaining("can't be guessed");
    }

    @Test
    void whatCannotBeOpenedIsNamedWithTheRemedy() {
        assertThatThrownBy(() -> EventInput.open(directory.resolve("none.csv").toString(), null, NOTHING))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("none.csv")
                .hasMessageContaining("--input");
        assertThatThrownBy(() -> EventInput.open(directory.toString(), null, NOTHING))
                .hasMessageContaining("directory");
        assertThatThrownBy(() -> InputFormat.parse("xml"))
                .hasMessageContaining("'xml'")
                .hasMessageContaining("ndjson");
        assertThatThrownBy(() -> InputFormat.parse("json:features")).hasMessageContaining("json:/features");
    }
}
