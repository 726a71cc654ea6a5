package io.fluxmark.log;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

/** Appends what a publisher brings; each subscription does so anew. */
final class FluxAppend extends FluxOperator<AppendRecord, AppendResult> {

    private final Topic topic;
    private final LogSpec spec;
    private final LogWriterThread writer;

    private FluxAppend(Flux<AppendRecord> records, Topic topic, LogSpec spec, LogWriterThread writer) {
        super(records);
        this.topic = topic;
        this.spec = spec;
        this.writer = writer;
    }

    static Flux<AppendResult> create(
            Publisher<AppendRecord> records, Topic topic, LogSpec spec, LogWriterThread writer) {
        return onAssembly(new FluxAppend(Flux.from(records), topic, spec, writer));
    }

    @Override
    public void subscribe(CoreSubscriber<? super AppendResult> actual) {
        source.subscribe(new AppendSubscriber(actual, topic, spec, writer));
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : super.scanUnsafe(key);
    }
}
