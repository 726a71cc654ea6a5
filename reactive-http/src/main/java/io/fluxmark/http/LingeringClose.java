package io.fluxmark.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose request was refused before its body had arrived.
 *
 * <p>Closing a socket with unread bytes resets it, and the reset can overtake the answer. So the sending half is shut first, then
 * what still arrives is thrown away until the client closes, for two seconds at most, and only then the socket is closed.
 */
final class LingeringClose extends ChannelDuplexHandler {

    private static final AttributeKey<Boolean> MARK = AttributeKey.valueOf(LingeringClose.class, "refused");
    private static final long LINGER_SECONDS = 2;

    private boolean lingering;

    /** Says whether the next close of this channel is to linger. */
    static void mark(Channel channel, boolean lingers) {
        channel.attr(MARK).set(lingers);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the outcome is the channel's close future
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        Channel channel = ctx.channel();
        boolean lingers = Boolean.TRUE.equals(channel.attr(MARK).get()) && channel.isActive();
        if (!lingers || !(channel instanceof DuplexChannel duplex)) {
            ctx.close(promise);
            return;
        }
        if (!promise.isVoid()) {
            channel.closeFuture().addListener(closed -> promise.trySuccess());
        }
        if (!lingering) {
            lingering = true;
            duplex.shutdownOutput();
            ctx.executor().schedule(() -> ctx.close(), LINGER_SECONDS, TimeUnit.SECONDS);
            ctx.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (lingering) {
            ReferenceCountUtil.release(message);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (lingering) {
            ctx.read();
        } else {
            ctx.fireChannelReadComplete();
        }
    }
}
