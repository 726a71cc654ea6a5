package io.fluxmark.http;

/** The rules of CloudEvents 1.0 for attribute names and values. */
final class Attributes {

    private static final int SHOWN = 40;

    private Attributes() {}

    /** Refuses names that are not lower-case letters and digits. */
    static void checkName(String name) {
        int length = name.length();
        boolean valid = length > 0;
        for (int i = 0; i < length && valid; i++) {
            char c = name.charAt(i);
            valid = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        }
        if (!valid) {
            throw new CloudEventException(
                    "attribute name " + quoted(name) + " is not allowed; use lower-case letters a-z and digits only");
        }
    }

    /** Refuses control characters, lone surrogates and noncharacters. */
    static void checkText(String name, String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7F) {
                continue;
            }
            if (c < 0xA0) {
                throw notAllowed(name, c, i);
            }
            if (Character.isSurrogate(c)) {
                int codePoint = text.codePointAt(i);
                if (codePoint == c || (codePoint & 0xFFFE) == 0xFFFE) {
                    throw notAllowed(name, codePoint, i);
                }
                i++;
            } else if ((c >= 0xFDD0 && c <= 0xFDEF) || c >= 0xFFFE) {
                throw notAllowed(name, c, i);
            }
        }
    }

    /** Refuses the empty text for attributes that must say something. */
    static void checkNotEmpty(String name, String text) {
        if (text.isEmpty()) {
            throw new CloudEventException("attribute " + name + " is empty; give it a value or leave it out");
        }
    }

    /** Whether data of this media type is JSON: {@code *}{@code /json} or {@code *}{@code /*+json}, parameters aside. */
    static boolean isJson(String contentType) {
        int end = contentType.indexOf(';');
        String type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
        return endsWithIgnoreCase(type, "/json") || (type.indexOf('/') > 0 && endsWithIgnoreCase(type, "+json"));
    }

    /** A client's text for an error message: shortened, control characters made visible. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder(SHOWN + 2).append('\'');
        int length = Math.min(text.length(), SHOWN);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            out.append(c < 0x20 || (c >= 0x7F && c < 0xA0) || Character.isSurrogate(c) ? '?' : c);
        }
        return out.append(text.length() > SHOWN ? "...'" : "'").toString();
    }

    private static boolean endsWithIgnoreCase(String text, String end) {
        return text.length() > end.length()
                && text.regionMatches(true, text.length() - end.length(), end, 0, end.length());
    }

    private static CloudEventException notAllowed(String name, int codePoint, int index) {
        return new CloudEventException(String.format(
                "attribute %s has the character U+%04X at index %d, which CloudEvents does not allow; remove or encode it",
                name, codePoint, index));
    }
}
