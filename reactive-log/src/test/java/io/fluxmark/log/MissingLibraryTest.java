package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The module, loaded once more where a library is not on the class path. */
class MissingLibraryTest {

    @ParameterizedTest(name = "{displayName}: {0}")
    @CsvSource({"ZSTD, com.github.luben., com.github.luben:zstd-jni", "LZ4, net.jpountz., at.yawk.lz4:lz4-java"})
    void aCompressionWithoutItsLibraryIsAnErrorThatNamesIt(Compression compression, String hidden, String library)
            throws Exception {
        ClassLoader without = new Without(hidden);
        Class<?> type = without.loadClass(Compression.class.getName());
        Object constant = call(type.getMethod("valueOf", String.class), null, compression.name());
        Class<?> spec = without.loadClass(LogSpec.class.getName());
        Object defaults = call(spec.getMethod("defaults"), null);
        assertThatThrownBy(() -> call(spec.getMethod("compression", type), defaults, constant))
                .hasMessageContaining(library)
                .hasMessageContaining("add that dependency");

        byte[] batch = RawBatches.of(5, 1, compression.id(), new byte[1]);
        Class<?> view = without.loadClass(BatchView.class.getName());
        Object read = call(view.getDeclaredMethod("of", ByteBuffer.class), null, ByteBuffer.wrap(batch));
        assertThatThrownBy(() -> call(view.getDeclaredMethod("records"), read))
                .hasMessageContaining(library)
                .satisfies(
                        e -> assertThat(e.getClass().getName()).isEqualTo(UnsupportedFormatException.class.getName()));
    }

    @Test
    void aCodecWithoutItsLibraryIsAnErrorThatNamesIt() throws Exception {
        Class<?> codec = new Without("com.fasterxml.").loadClass(EventCodec.class.getName());
        assertThatThrownBy(() -> call(codec.getMethod("json", Class.class), null, String.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("com.fasterxml.jackson.core:jackson-databind");
        assertThat(call(codec.getMethod("utf8"), null)).isNotNull();
        Class<?> withJson = new Without("com.fasterxml.jackson.dataformat.").loadClass(EventCodec.class.getName());
        assertThat(call(withJson.getMethod("json", Class.class), null, String.class))
                .isNotNull();
        assertThatThrownBy(() -> call(withJson.getMethod("cbor", Class.class), null, String.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("com.fasterxml.jackson.dataformat:jackson-dataformat-cbor");
    }

    private static Object call(Method method, Object target, Object... arguments) throws Exception {
        try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static final class Without extends ClassLoader {

        private final String hidden;

        Without(String hidden) {
            super(MissingLibraryTest.class.getClassLoader());
            this.hidden = hidden;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(hidden)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.fluxmark.log.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
