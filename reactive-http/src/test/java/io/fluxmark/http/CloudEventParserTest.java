package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Header;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventParserTest {

    private static final String REQUIRED =
            "\"specversion\":\"1.0\",\"id\":\"a-1\",\"source\":\"/shop\",\"type\":\"order\"";

    private final CloudEventParser parser = new CloudEventParser(1 << 20);

    @Test
    void theMinimalEventHasAnEmptyValueAndAKeyOfSourceAndId() {
        AppendRecord record = parse("{" + REQUIRED + "}");

        assertThat(key(record)).isEqualTo("/shop/a-1");
        assertThat(record.value()).isEmpty();
        assertThat(record.partition()).isEqualTo(AppendRecord.BY_KEY);
        assertThat(record.sequence()).isNull();
        assertThat(headers(record))
                .containsExactly(
                        Map.entry("ce_specversion", "1.0"),
                        Map.entry("ce_id", "a-1"),
                        Map.entry("ce_source", "/shop"),
                        Map.entry("ce_type", "order"));
    }

    @Test
    void theKeyIsThePartitionKeyBeforeTheSubjectBeforeSourceAndId() {
        assertThat(key(event("\"subject\":\"s\",\"partitionkey\":\"p\""))).isEqualTo("p");
        assertThat(key(event("\"subject\":\"s\",\"partitionkey\":null"))).isEqualTo("s");
        assertThat(key(event("\"subject\":null"))).isEqualTo("/shop/a-1");
    }

    @Test
    void everyAttributeBecomesAHeaderInTheKafkaBindingsNames() {
        Map<String, String> headers = headers(event("\"subject\":\"s\",\"time\":\"2026-01-31T23:59:60.1234567891Z\","
                + "\"dataschema\":\"urn:x\",\"datacontenttype\":\"Application/Vnd.X+JSON; charset=utf-8\","
                + "\"traceparent\":\"00-ab\",\"count\":-7,\"urgent\":true,\"gone\":null,\"empty\":\"\",\"data\":{}"));

        assertThat(headers)
                .containsEntry("ce_subject", "s")
                .containsEntry("ce_time", "2026-01-31T23:59:60.1234567891Z")
                .containsEntry("ce_dataschema", "urn:x")
                .containsEntry("ce_traceparent", "00-ab")
                .containsEntry("ce_count", "-7")
                .containsEntry("ce_urgent", "true")
                .containsEntry("ce_empty", "")
                .containsEntry("content-type", "Application/Vnd.X+JSON; charset=utf-8")
                .doesNotContainKeys("ce_gone", "ce_datacontenttype", "ce_data");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{ \"a\" : [1, 2.50, 1e400, {\"b\":null}] , \"a\": \"\\u00e9\\n\\\"}\" }",
                "[]",
                "[ [\"}\"], \"]\" ]",
                "12345678901234567890.100",
                "-0",
                "0.1E+7",
                "7",
                "true",
                "false",
                "\"\"",
                "\"text \\\" \\\\ \\/ \\ud83d\\ude00 \\u0000\"",
                "\"Füße 漢字 😀\"",
                "\"\\ud800\""
            })
    void jsonDataIsStoredByteForByte(String data) {
        for (String space : new String[] {"", " ", "\t "}) {
            String member = "\"data\"" + space + ":" + space + data + space;
            for (String event : new String[] {
                "{" + REQUIRED + "," + member + "}",
                "{" + member + "," + REQUIRED + "}",
                "{" + member + ",\"x\":\"y\"," + REQUIRED + ",\"datacontenttype\":\"text/json\"}"
            }) {
                assertThat(text(parse(event).value())).as(event).isEqualTo(data);
            }
        }
        assertThat(headers(event("\"data\":" + data))).containsEntry("content-type", "application/json");
    }

    @Test
    void nullDataIsNoData() {
        AppendRecord record = event("\"data\":null");

        assertThat(record.value()).isEmpty();
        assertThat(headers(record)).doesNotContainKey("content-type");
    }

    @Test
    void stringDataOfAnotherTypeIsItsText() {
        String data = "\"data\":\"<é a=\\\"1\\\">\\n\\ud83d\\ude00 漢\"";
        String type = "\"datacontenttype\":\"text/xml\"";

        assertThat(text(event(data + "," + type).value())).isEqualTo("<é a=\"1\">\n😀 漢");
        assertThat(text(event(type + "," + data).value())).isEqualTo("<é a=\"1\">\n😀 漢");
        assertThat(headers(event(type + "," + data))).containsEntry("content-type", "text/xml");
    }

    @Test
    void base64DataIsDecodedAndNothingIsAssumedAboutItsType() {
        AppendRecord record = event("\"data_base64\":\"AAH/\\u002B\\/4=\"");

        assertThat(record.value()).containsExactly(0, 1, 0xFF, 0xFB, 0xFE);
        assertThat(headers(record)).doesNotContainKey("content-type");
        assertThat(headers(event("\"data_base64\":\"AA==\",\"datacontenttype\":\"image/png\"")))
                .containsEntry("content-type", "image/png");
        assertThat(event("\"data\":null,\"data_base64\":\"AA==\"").value()).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource({"'\"42\"', 42", "'42', 42", "'\"00042\"', 42", "'0', 0", "'9223372036854775807', 9223372036854775807"})
    void producerAndSequenceBecomeTheRecordsSequence(String json, long expected) {
        AppendRecord record = event("\"producerid\":\"feeder é\",\"sequence\":" + json);

        assertThat(Objects.requireNonNull(record.sequence()).producer()).isEqualTo("feeder é");
        assertThat(record.sequence().sequence()).isEqualTo(expected);
        assertThat(headers(record)).doesNotContainKeys("ce_producerid", "ce_sequence");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"producerid\":\"p\"' | sequence is missing",
                "'\"sequence\":1' | producerid is missing",
                "'\"producerid\":\"p\",\"sequence\":-1' | sequence is '-1'",
                "'\"producerid\":\"p\",\"sequence\":\"x\"' | sequence is 'x'",
                "'\"producerid\":\"p\",\"sequence\":\"\"' | sequence is ''",
                "'\"producerid\":\"p\",\"sequence\":9223372036854775808' | sequence is '9223372036854775808'",
                "'\"producerid\":\"p\",\"sequence\":1.0' | 'sequence' is neither",
                "'\"producerid\":\"p\",\"sequence\":true' | sequence is a boolean",
                "'\"producerid\":\"\",\"sequence\":1' | producerid is empty",
                "'\"producerid\":7,\"sequence\":1' | producerid is an integer",
                "'\"subject\":\"\"' | subject is empty",
                "'\"partitionkey\":\"\"' | partitionkey is empty",
                "'\"datacontenttype\":\"\"' | datacontenttype is empty",
                "'\"datacontenttype\":5' | datacontenttype is an integer",
                "'\"time\":\"2026-01-31\"' | time is '2026-01-31'",
                "'\"time\":1769904000' | time is an integer",
                "'\"dataschema\":\"\"' | dataschema is empty",
                "'\"big\":2147483648' | 32 bits",
                "'\"ratio\":0.5' | 'ratio' is neither",
                "'\"nested\":{\"a\":1}' | 'nested' is neither",
                "'\"list\":[1]' | 'list' is neither",
                "'\"Upper\":\"x\"' | 'Upper' is not allowed",
                "'\"under_score\":1' | 'under_score' is not allowed",
                "'\"\":\"x\"' | '' is not allowed",
                "'\"data\":1,\"data_base64\":\"AA==\"' | both data and data_base64",
                "'\"data_base64\":\"A*==\"' | not Base64",
                "'\"data_base64\":\"A\"' | not Base64",
                "'\"data_base64\":{}' | 'data_base64' is neither",
                "'\"data_base64\":1' | data_base64 is an integer",
                "'\"data\":{},\"datacontenttype\":\"text/plain\"' | data is not a string",
                "'\"data\":5,\"datacontenttype\":\"text/plain\"' | data is not a string",
                "'\"data\":\"\\ud800x\",\"datacontenttype\":\"text/plain\"' | lone surrogate",
                "'\"subject\":\"a\\u0000b\"' | U+0000 at index 1",
                "'\"subject\":\"\\u001f\"' | U+001F",
                "'\"subject\":\"\\u007f\"' | U+007F",
                "'\"subject\":\"\\u009f\"' | U+009F",
                "'\"subject\":\"\\ud800\"' | U+D800",
                "'\"subject\":\"\\udc00\\ud800\"' | U+DC00",
                "'\"subject\":\"\\uffff\"' | U+FFFF",
                "'\"subject\":\"\\ufdd0\"' | U+FDD0",
                "'\"subject\":\"\\ud83f\\udfff\"' | U+1FFFF",
                "'\"ext\":\"\\n\"' | attribute ext has the character U+000A",
                "'\"id\":\"again\"' | 'id' is given twice",
                "'\"data\":1,\"data\":2' | 'data' is given twice",
                "'\"x\":null,\"x\":1' | 'x' is given twice",
                "'\"i\\u0064\":\"again\"' | 'id' is given twice",
            })
    void whatBreaksARuleIsRefusedByName(String members, String message) {
        assertRefused("{" + REQUIRED + "," + members + "}", message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"}' | specversion is missing",
                "'{\"specversion\":\"1.0\",\"source\":\"s\",\"type\":\"t\"}' | id is missing",
                "'{\"specversion\":\"1.0\",\"id\":null,\"source\":\"s\",\"type\":\"t\"}' | id is missing",
                "'{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"t\"}' | source is missing",
                "'{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\"}' | type is missing",
                "'{\"specversion\":\"1.0\",\"id\":\"\",\"source\":\"s\",\"type\":\"t\"}' | id is empty",
                "'{\"specversion\":\"1.0\",\"id\":7,\"source\":\"s\",\"type\":\"t\"}' | id is an integer",
                "'{\"specversion\":\"0.3\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"}' | specversion is '0.3'",
                "'{\"specversion\":1.0,\"id\":\"1\",\"source\":\"s\",\"type\":\"t\"}' | 'specversion' is neither",
                "'[]' | not a JSON object",
                "'1' | not a JSON object",
                "'{' | malformed JSON",
                "'{\"a\"}' | malformed JSON",
                "'{\"a\":\"x' | malformed JSON",
                "'{\"a\":01}' | malformed JSON",
                "'{\"data\":[1}' | malformed JSON",
                "'{\"data\":NaN}' | malformed JSON",
                "'{a:1}' | malformed JSON",
                "'{} {}' | more than one JSON value",
                "'{}}' | malformed JSON",
                "'{}x' | malformed JSON",
            })
    void whatIsNoEventIsRefused(String line, String message) {
        assertRefused(line, message);
    }

    @Test
    void rawControlCharactersInStringsAreRefused() {
        assertRefused("{" + REQUIRED + ",\"subject\":\"a\tb\"}", "malformed JSON");
        assertRefused("{" + REQUIRED + ",\"data\":\"a\u0001b\"}", "malformed JSON");
        assertRefused("{" + REQUIRED + ",\"data\":{\"k\":\"\u0000\"}}", "malformed JSON");
    }

    @Test
    void otherEncodingsAreRefused() {
        byte[] utf16 = ("{" + REQUIRED + "}").getBytes(StandardCharsets.UTF_16LE);

        assertThatExceptionOfType(CloudEventException.class)
                .isThrownBy(() -> parser.parse(utf16, 0, utf16.length))
                .withMessageContaining("UTF-8");
    }

    @Test
    void depthNamesAndMembersAreBounded() {
        assertThat(event("\"data\":" + "[".repeat(99) + "]".repeat(99)).value()).hasSize(198);
        assertRefused("{" + REQUIRED + ",\"data\":" + "[".repeat(100) + "]".repeat(100) + "}", "beyond the limits");
        assertRefused("{" + REQUIRED + ",\"" + "n".repeat(300) + "\":1}", "beyond the limits");
        StringBuilder many = new StringBuilder("{" + REQUIRED);
        for (int i = 0; i < 61; i++) {
            many.append(",\"x").append(i).append("\":1");
        }
        assertRefused(many + "}", "more than 64 members");
    }

    @Test
    void anEventInsideALargerArrayIsCutOutAtItsOwnOffsets() {
        String event = "{" + REQUIRED + ",\"data\":{\"n\":[1, 2]}}";
        byte[] bytes = ("xxxx" + event + "yyyy").getBytes(StandardCharsets.UTF_8);

        AppendRecord record = parser.parse(bytes, 4, bytes.length - 4);

        assertThat(text(record.value())).isEqualTo("{\"n\":[1, 2]}");
    }

    private AppendRecord event(String members) {
        return parse("{" + REQUIRED + "," + members + "}");
    }

    private AppendRecord parse(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return parser.parse(bytes, 0, bytes.length);
    }

    private void assertRefused(String json, String message) {
        assertThatExceptionOfType(CloudEventException.class)
                .isThrownBy(() -> parse(json))
                .withMessageContaining(message);
    }

    private static String key(AppendRecord record) {
        return text(Objects.requireNonNull(record.key()));
    }

    private static Map<String, String> headers(AppendRecord record) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Header header : record.headers()) {
            assertThat(headers.put(header.name(), text(header.value()))).isNull();
        }
        return headers;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
