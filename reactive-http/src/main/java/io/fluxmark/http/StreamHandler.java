package io.fluxmark.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/streams/{s}}: where each partition begins and ends, and how far a producer got in it. */
final class StreamHandler {

    private final EventLog log;

    StreamHandler(EventLog log) {
        this.log = log;
    }

    Reply handle(String stream, @Nullable String producer) {
        Topic topic = log.topic(stream);
        return Reply.json(Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("name", topic.name());
            json.writeArrayFieldStart("partitions");
            for (Partition partition : topic.partitions()) {
                write(json, partition, producer);
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    private static void write(JsonGenerator json, Partition partition, @Nullable String producer) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", partition.id());
        json.writeStringField("beginOffset", Long.toString(partition.beginOffset()));
        json.writeStringField("nextOffset", Long.toString(partition.endOffset()));
        if (producer != null) {
            OptionalLong highest = partition.highestSequence(producer);
            json.writeFieldName("highestSequence");
            json.writeString(highest.isPresent() ? Long.toString(highest.getAsLong()) : null);
        }
        json.writeEndObject();
    }
}
