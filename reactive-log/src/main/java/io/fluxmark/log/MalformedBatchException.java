package io.fluxmark.log;

/** Bytes that are no batch. Internal: what users see says where the bytes are. */
final class MalformedBatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedBatchException(String message) {
        super(message);
    }
}
