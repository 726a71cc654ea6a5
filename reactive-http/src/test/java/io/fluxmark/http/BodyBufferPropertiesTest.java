package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BodyBufferPropertiesTest {

    @Property
    void piecesOfAnySizeMakeTheWholeAndTheHeapTakenStaysWithinTheLimit(
            @ForAll @IntRange(max = 300_000) int length, @ForAll boolean announced, @ForAll Random random) {
        byte[] whole = new byte[length];
        random.nextBytes(whole);
        int limit = length + random.nextInt(100_000);
        BodyBuffer body = new BodyBuffer(announced ? length : -1, limit);

        int at = 0;
        while (at < length) {
            int count = Math.min(1 + random.nextInt(100_000), length - at);
            ByteBuf chunk = Unpooled.wrappedBuffer(whole, at, count);
            body.append(chunk);
            assertThat(chunk.readableBytes()).isEqualTo(count);
            assertThat(chunk.refCnt()).isOne();
            at += count;
        }

        assertThat(body.length()).isEqualTo(length);
        assertThat(Arrays.copyOf(body.array(), length)).isEqualTo(whole);
        assertThat(body.array().length).isLessThanOrEqualTo(announced ? length : limit);
    }
}
