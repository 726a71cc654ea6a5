package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The codecs that {@link EventCodec} hands out. */
final class PlainCodecs {

    static final EventCodec<String> UTF_8 = new EventCodec<>() {
        @Override
        public String decode(LogRecord record) {
            return decodeView(RecordView.of(record));
        }

        @Override
        public String decodeView(RecordView view) {
            int length = view.valueLength();
            String text = new String(view.array(), view.valueOffset(), length, StandardCharsets.UTF_8);
            // Bytes that are no text become this character; it may also have been written.
            if (text.indexOf('\uFFFD') >= 0) {
                requireText(view);
            }
            return text;
        }

        @Override
        public AppendRecord encode(String event) {
            return AppendRecord.to(0, event.getBytes(StandardCharsets.UTF_8));
        }
    };

    static final EventCodec<byte[]> BYTES = new EventCodec<>() {
        @Override
        public byte[] decode(LogRecord record) {
            return record.requireValue();
        }

        @Override
        public AppendRecord encode(byte[] event) {
            return AppendRecord.to(0, event);
        }
    };

    static final EventCodec<Long> INT64 = new EventCodec<>() {
        @Override
        public Long decode(LogRecord record) {
            return decodeView(RecordView.of(record));
        }

        @Override
        public Long decodeView(RecordView view) {
            if (view.valueLength() != Long.BYTES) {
                throw new IllegalArgumentException(
                        view.place() + " has " + view.valueLength() + " bytes; an int64 has " + Long.BYTES);
            }
            return ByteBuffer.wrap(view.array()).getLong(view.valueOffset());
        }

        @Override
        public AppendRecord encode(Long event) {
            return AppendRecord.to(
                    0, ByteBuffer.allocate(Long.BYTES).putLong(event).array());
        }
    };

    private PlainCodecs() {}

    static <T> EventCodec<T> json(Class<T> type, @Nullable Function<? super T, String> key) {
        return withLibrary("com.fasterxml.jackson.core:jackson-databind", () -> JacksonEventCodec.json(type, key));
    }

    static <T> EventCodec<T> cbor(Class<T> type, @Nullable Function<? super T, String> key) {
        return withLibrary(
                "com.fasterxml.jackson.dataformat:jackson-dataformat-cbor", () -> JacksonEventCodec.cbor(type, key));
    }

    private static <T> EventCodec<T> withLibrary(String library, Supplier<EventCodec<T>> codec) {
        try {
            return codec.get();
        } catch (LinkageError e) {
            throw new IllegalStateException("this codec needs " + library + "; add that dependency (" + e + ")", e);
        }
    }

    private static void requireText(RecordView view) {
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(view.array(), view.valueOffset(), view.valueLength()));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(view.place() + " is no UTF-8 text: " + e.getMessage(), e);
        }
    }
}
