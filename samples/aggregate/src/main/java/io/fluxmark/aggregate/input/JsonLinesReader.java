package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

/** One JSON object per line. */
final class JsonLinesReader extends LineRecordReader {

    JsonLinesReader(LineReader lines) {
        super(lines);
    }

    @Override
    EventRecord parse(Line line) throws MalformedRecordException {
        JsonNode node;
        try {
            node = JsonRecord.WHOLE.readTree(line.text());
        } catch (JsonProcessingException e) {
            throw new MalformedRecordException(line.number(), "no JSON: " + e.getOriginalMessage());
        }
        if (!node.isObject()) {
            throw new MalformedRecordException(line.number(), "no JSON object but " + node.getNodeType());
        }
        return new JsonRecord(line.number(), node);
    }
}
