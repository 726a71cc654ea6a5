package io.fluxmark.log;

import reactor.core.publisher.MonoSink;

/** Asks for a partition to be durable up to an offset. */
record ForceRequest(PartitionLog partition, long endOffset, MonoSink<Void> sink) implements LogCommand {

    void complete() {
        Completions.run(sink::success);
    }

    @Override
    public void refuse(RuntimeException why) {
        Completions.run(() -> sink.error(why));
    }
}
