package io.fluxmark.windows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Keeps what is logged, while open, as "warn: text". */
final class CapturedLog implements AutoCloseable {

    final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    CapturedLog() {
        Loggers.useCustomLoggers(name -> (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (method.getReturnType() == boolean.class) {
                        return false;
                    }
                    if (arguments != null && !method.getName().equals("debug")) {
                        lines.add(method.getName() + ": " + arguments[0]);
                    }
                    return method.getReturnType() == String.class ? name : null;
                }));
    }

    @Override
    public void close() {
        Loggers.resetLoggerFactory();
    }
}
