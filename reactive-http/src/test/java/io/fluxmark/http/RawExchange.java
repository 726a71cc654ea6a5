package io.fluxmark.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection on which a test writes what it likes. */
final class RawExchange implements AutoCloseable {

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;

    RawExchange(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.in = socket.getInputStream();
    }

    RawExchange write(String text) throws IOException {
        return write(text.getBytes(StandardCharsets.UTF_8));
    }

    RawExchange write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /** A POST of events with these header lines, each ended by {@code \r\n}. */
    RawExchange post(String headers, String body) throws IOException {
        return write("POST /v1/streams/orders/events HTTP/1.1\r\nHost: t\r\nContent-Type: application/x-ndjson\r\n"
                + headers + "\r\n" + body);
    }

    /** The same, sending the body only when the server has begun to take it: it holds a place among the bodies by then. */
    RawExchange begin(String headers, String body) throws IOException {
        post("Expect: 100-continue\r\n" + headers, "");
        String answer = answer();
        if (!answer.startsWith("HTTP/1.1 100 ")) {
            throw new IOException("not taken: " + answer);
        }
        return write(body);
    }

    /** One answer with a content length, head and body. */
    String answer() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("connection ended after: " + head);
            }
            head.write(b);
        }
        String text = head.toString(StandardCharsets.UTF_8);
        int at = text.toLowerCase(Locale.ROOT).indexOf("content-length: ");
        if (at < 0) {
            return text;
        }
        int length = Integer.parseInt(text.substring(at + 16, text.indexOf('\r', at)));
        return text + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** Whether the server has ended the connection in order; reads and drops what is left. */
    boolean ended() throws IOException {
        in.readAllBytes();
        return true;
    }

    InputStream in() {
        return in;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
