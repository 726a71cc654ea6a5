package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T23:59:59Z",
                "2026-01-31t23:59:59z",
                "2026-01-31 23:59:59Z",
                "2026-01-31T23:59:60Z",
                "2024-02-29T00:00:00+14:00",
                "0000-02-29T00:00:00-23:59",
                "2026-01-31T23:59:59.1Z",
                "2026-01-31T23:59:59.123456789012345678901234567890+00:00",
            })
    void acceptsTimestampsWithOffset(String text) {
        assertThat(Rfc3339.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "2026-01-31",
                "2026-01-31T23:59:59",
                "2026-01-31T23:59Z",
                "2026-01-31T23:59:59.Z",
                "2026-01-31T23:59:59.5",
                "2026-01-31T23:59:59,5Z",
                "2026-01-31T23:59:61Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T23:60:00Z",
                "2026-02-29T00:00:00Z",
                "2026-04-31T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2026-01-00T00:00:00Z",
                "2026-1-31T23:59:59.0Z",
                "26-01-31T23:59:59.00Z",
                "+026-01-31T23:59:59Z",
                "2026-01-31T23:59:59ZZ",
                "2026-01-31T23:59:59+1:00",
                "2026-01-31T23:59:59+01",
                "2026-01-31T23:59:59+24:00",
                "2026-01-31T23:59:59+01:60",
                "2026-01-31T23:59:59+01:00Z",
                "2026-01-31T23:59:59\u0660Z",
                " 2026-01-31T23:59:59Z",
            })
    void refusesTheRest(String text) {
        assertThat(Rfc3339.isValid(text)).isFalse();
    }
}
