package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.fluxmark.log.AppendRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

class CloudEventParserPropertiesTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectWriter PRETTY = MAPPER.writerWithDefaultPrettyPrinter();

    private final CloudEventParser parser = new CloudEventParser(1 << 20);

    @Property
    void dataSurvivesAnyOrderOfMembersAndAnyLayout(@ForAll boolean pretty, @ForAll Random random)
            throws JsonProcessingException {
        Object data = tree(random, 4);
        String json = (pretty ? PRETTY : MAPPER.writer()).writeValueAsString(data);
        List<String> members = new ArrayList<>(List.of(
                "\"id\":\"1\"",
                "\"source\":\"s\"",
                "\"type\":\"t\"",
                "\"specversion\" : \"1.0\"",
                "\"data\": " + json));
        Collections.shuffle(members, random);
        byte[] event = ("{" + String.join(",", members) + "}").getBytes(StandardCharsets.UTF_8);

        byte[] expected = data == null ? new byte[0] : json.getBytes(StandardCharsets.UTF_8);
        assertThat(parser.parse(event, 0, event.length).value()).isEqualTo(expected);
    }

    @Property
    void damagedEventsAreParsedOrRefusedButNeverFailOtherwise(@ForAll Random random) {
        byte[] event =
                ("{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"s\",\"type\":\"t\",\"time\":\"2026-01-31T23:59:59Z\","
                                + "\"data\":{\"a\":[1,-2.5e3,\"\\u00e9\"],\"b\":null},\"datacontenttype\":\"text/x+json\","
                                + "\"producerid\":\"p\",\"sequence\":\"7\",\"flag\":true}")
                        .getBytes(StandardCharsets.UTF_8);
        int length = random.nextInt(8) == 0 ? 1 + random.nextInt(event.length) : event.length;
        for (int i = random.nextInt(4); i >= 0; i--) {
            event[random.nextInt(event.length)] = (byte) random.nextInt(256);
        }
        try {
            AppendRecord record = parser.parse(event, 0, length);
            assertThat(record.headers()).isNotEmpty();
        } catch (CloudEventException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }

    private static @Nullable Object tree(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 8)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong();
            case 3 -> random.nextDouble() * Math.pow(10, random.nextInt(40) - 20);
            case 4, 5 -> text(random);
            case 6 ->
                IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> tree(random, depth - 1))
                        .collect(Collectors.toCollection(ArrayList::new));
            default -> {
                Map<String, Object> members = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(text(random), tree(random, depth - 1));
                }
                yield members;
            }
        };
    }

    /** Text with all that JSON escapes and all lengths of UTF-8. */
    private static String text(Random random) {
        int[] bounds = {0x20, 0x80, 0x800, 0xD800, 0x110000 - 0xE000};
        return IntStream.range(0, random.nextInt(8))
                .map(i -> random.nextInt(bounds[random.nextInt(bounds.length)]))
                .map(c -> c >= 0xD800 ? c + 0x800 : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
