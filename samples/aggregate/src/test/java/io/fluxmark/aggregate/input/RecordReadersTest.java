package io.fluxmark.aggregate.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.aggregate.DataException;
import io.fluxmark.aggregate.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordReadersTest {

    private final List<String> malformed = new ArrayList<>();

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private List<EventRecord> read(String format, String text) throws IOException {
        return read(InputFormat.parse(format).open(bytes(text)));
    }

    private List<EventRecord> read(RecordReader reader) throws IOException {
        malformed.clear();
        List<EventRecord> records = new ArrayList<>();
        for (; ; ) {
            try {
                EventRecord record = reader.next();
                if (record == null) {
                    return records;
                }
                records.add(record);
            } catch (MalformedRecordException e) {
                malformed.add(e.line() + ": " + e.reason());
            }
        }
    }

    private static List<String> texts(List<EventRecord> records, String field) {
        return records.stream().map(record -> record.text(Field.of(field))).toList();
    }

    @Test
    void jsonLinesKeepTheDigitsOfNumbers() throws IOException {
        List<EventRecord> records = read(
                "ndjson",
                "{\"t\":1521911720.865716,\"n\":{\"a\":[1,{\"b\":2.50}]},\"u\":null}\r\n\n{\"t\":10000000000000000001}");
        assertThat(texts(records, "t")).containsExactly("1521911720.865716", "10000000000000000001");
        assertThat(texts(records, "/n/a/1/b")).containsExactly("2.50", null);
        assertThat(texts(records, "/n/a")).containsExactly("[1,{\"b\":2.50}]", null);
        assertThat(texts(records, "u")).containsExactly(null, null);
        assertThat(records).extracting(EventRecord::line).containsExactly(1L, 3L);
        assertThat(records.get(0).toJson().get("n")).hasToString("{\"a\":[1,{\"b\":2.50}]}");
    }

    @Test
    void jsonLinesThatAreNoObjectsAreNamed() throws IOException {
        assertThat(read("ndjson", "7\n{\"a\":1} {\"b\":2}\n{\"a\":\n{\"a\":1}\n"))
                .hasSize(1);
        assertThat(malformed).hasSize(3).allMatch(text -> text.matches("[123]: no JSON.*"));
    }

    @Test
    void quotedValuesHoldSeparatorsQuotesAndLineEnds() throws IOException {
        List<EventRecord> records =
                read("csv", "\uFEFFid, text \n1,\"a,b\"\n2,\"say \"\"hi\"\"\nand more\"\n3,plain \"\" text\n4,\"\"\n");
        assertThat(texts(records, "text")).containsExactly("a,b", "say \"hi\"\nand more", "plain \"\" text", "");
        assertThat(texts(records, "id")).containsExactly("1", "2", "3", "4");
        assertThat(records).extracting(EventRecord::line).containsExactly(2L, 3L, 5L, 6L);
        assertThat(malformed).isEmpty();
    }

    @Test
    void aQuoteThatIsNeverClosedCostsOneLine() throws IOException {
        List<EventRecord> records = read("csv", "id,text\n1,\"open\n2,b\n3,c\n");
        assertThat(texts(records, "id")).containsExactly("2", "3");
        assertThat(malformed).containsExactly("2: a quote is opened and never closed");
    }

    @Test
    void aQuoteIsLookedForInABoundedNumberOfLines() throws IOException {
        String text = "id,text\n1,\"open\n" + "2,b\n".repeat(DelimitedReader.MAX_LINES) + "3,\"closed\"\n";
        assertThat(read("csv", text)).hasSize(DelimitedReader.MAX_LINES + 1);
        assertThat(malformed).hasSize(1);
    }

    @Test
    void rowsOfAnotherWidthAndDamagedQuotesAreNamed() throws IOException {
        assertThat(read("csv", "a,b\n1\n1,2,3\n\"x\"y,2\n1,2\n")).hasSize(1);
        assertThat(malformed).hasSize(3);
        assertThat(malformed.get(0)).isEqualTo("2: it has 1 columns, and the first line names 2");
        assertThat(malformed.get(2)).startsWith("4: a quoted value is damaged");
    }

    @Test
    void tabsSeparateLikeCommas() throws IOException {
        List<EventRecord> records = read("tsv", "a\tb\r\n1,5\t\"x\ty\"\r\n2\tz\r\n");
        assertThat(texts(records, "a")).containsExactly("1,5", "2");
        assertThat(texts(records, "b")).containsExactly("x\ty", "z");
    }

    @Test
    void zeekLogsSayHowTheyAreToBeRead() throws IOException {
        String log =
                """
                #separator \\x09
                #set_separator\t,
                #unset_field\t(none)
                #fields\tts\thost\tn
                #types\ttime\taddr\tcount
                1521911720.865716\ta\t(none)
                1521911721.0\tb
                #close\t2024
                #fields\tn\tts
                5\t7.25
                """;
        ZeekReader reader = (ZeekReader) InputFormat.parse("zeek").open(bytes(log));
        assertThat(reader.columns()).containsExactly("ts", "host", "n");
        assertThat(reader.isTime(Field.of("ts"))).isTrue();
        assertThat(reader.isTime(Field.of("n"))).isFalse();
        List<EventRecord> records = read(reader);
        assertThat(texts(records, "ts")).containsExactly("1521911720.865716", "7.25");
        assertThat(texts(records, "n")).containsExactly(null, "5");
        assertThat(records.get(0).rawText(Field.of("n"))).isEqualTo("(none)");
        assertThat(records.get(0).toJson()).hasToString("{\"ts\":\"1521911720.865716\",\"host\":\"a\",\"n\":null}");
        assertThat(malformed).containsExactly("7: it has 2 columns, and #fields names 3");
        assertThat(read("zeek", "1\t2\n")).isEmpty();
        assertThat(malformed).singleElement().asString().contains("no #fields line");
    }

    @Test
    void accessLogsInBothFormats() throws IOException {
        String log =
                """
                h1 - - [17/May/2015:10:05:03 +0000] "GET /a?q=\\"x\\" HTTP/1.1" 200 203023 "http://r/" "Mozilla \\\\ 5"
                h2 - bob [17/May/2015:10:05:04 +0200] "GET /b" 304 -
                h3 - - [17/May/2015:10:05:05 +0000] "GET /c" 200 5 "-" "cut off
                nonsense
                """;
        List<EventRecord> records = read("clf", log);
        assertThat(texts(records, "host")).containsExactly("h1", "h2", "h3");
        assertThat(texts(records, "request")).containsExactly("GET /a?q=\"x\" HTTP/1.1", "GET /b", "GET /c");
        assertThat(texts(records, "bytes")).containsExactly("203023", null, "5");
        assertThat(texts(records, "agent")).containsExactly("Mozilla \\ 5", null, "cut off");
        assertThat(texts(records, "status")).containsExactly("200", "304", "200");
        assertThat(records.get(1).rawText(Field.of("referrer"))).isEqualTo("-");
        assertThat(malformed).singleElement().asString().startsWith("4: no line of an access log");
    }

    @Test
    void anArrayInADocumentIsReadItemByItem() throws IOException {
        String document = "{\"meta\":{\"n\":[1]},\n\"data\":[0,{\"rows\":[{\"a\":1},\n7,\n{\"a\":{\"b\":2}}]}],\"z\":[";
        List<EventRecord> records = read("json:/data/1/rows", document);
        assertThat(texts(records, "a")).containsExactly("1", "{\"b\":2}");
        assertThat(texts(records, "/a/b")).containsExactly(null, "2");
        assertThat(malformed).containsExactly("3: no JSON object but NUMBER");
        assertThat(read("json:", "[{\"a\":1}]")).hasSize(1);
    }

    @Test
    void aWrongPlaceInADocumentIsNamedWithWhatIsThere() {
        assertThatThrownBy(() -> read("json:/data/x", "{\"meta\":1,\"data\":{\"rows\":[],\"n\":2}}"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'x'")
                .hasMessageContaining("rows, n");
        assertThatThrownBy(() -> read("json:/meta", "{\"meta\":1}"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no array at '/meta'");
    }

    @Test
    void aDamagedDocumentEndsTheRun() {
        assertThatThrownBy(() -> read("json:/data", "{\"data\":[{\"a\":1},\n{\"a\":"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void aLineOfAnyLengthIsReadInBoundedMemory() throws IOException {
        LineReader lines = new LineReader(bytes("ab\n" + "x".repeat(200_000) + "\ncd"), 1_000);
        assertThat(lines.next()).isEqualTo("ab");
        assertThat(lines.next()).hasSize(1_000);
        assertThat(lines.wasCut()).isTrue();
        assertThat(lines.next()).isEqualTo("cd");
        assertThat(lines.wasCut()).isFalse();
        assertThat(lines.number()).isEqualTo(3);
        assertThat(lines.next()).isNull();
    }

    @Test
    void aLineMayLieAcrossBuffers() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            text.append("line ").append(i).append(i % 3 == 0 ? "\r\n" : "\n");
        }
        LineReader lines = new LineReader(bytes(text.toString()));
        for (int i = 0; i < 30_000; i++) {
            assertThat(lines.next()).isEqualTo("line " + i);
        }
        assertThat(lines.next()).isNull();
    }

    @Test
    void fieldsAreNamesOrPointers() {
        assertThat(Field.of("/a~1b").name()).isEqualTo("a/b");
        assertThatThrownBy(() -> Field.of("")).isInstanceOf(UsageException.class);
        Field.of("/host").requireAmong(List.of("host"));
        assertThatThrownBy(() -> Field.of("/host/x").requireAmong(List.of("host")))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> Field.of("hots").requireAmong(List.of("host", "time")))
                .hasMessage("the input has no field 'hots': it has host, time");
    }
}
