package io.fluxmark.benchmarks;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of keys: {@code 10000}, {@code 10k} or {@code 1M}. */
final class KeyCountConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String text) {
        long unit = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
        try {
            long count =
                    Math.multiplyExact(Long.parseLong(unit == 1 ? text : text.substring(0, text.length() - 1)), unit);
            if (count >= 1 && count <= Integer.MAX_VALUE) {
                return count;
            }
        } catch (NumberFormatException | ArithmeticException e) {
            // said below
        }
        throw new TypeConversionException("'" + text + "' is not a number of keys: use one like 10k or 1M");
    }
}
