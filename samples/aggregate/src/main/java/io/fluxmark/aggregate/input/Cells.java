package io.fluxmark.aggregate.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits text at a character. */
final class Cells {

    private Cells() {}

    static List<String> split(String line, char separator) {
        int count = 1;
        for (int at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, at + 1)) {
            count++;
        }
        String[] cells = new String[count];
        int from = 0;
        for (int i = 0; i < count - 1; i++) {
            int end = line.indexOf(separator, from);
            cells[i] = line.substring(from, end);
            from = end + 1;
        }
        cells[count - 1] = line.substring(from);
        return Arrays.asList(cells);
    }

    static List<String> trimmed(List<String> cells) {
        List<String> names = new ArrayList<>();
        for (String cell : cells) {
            names.add(cell.trim());
        }
        return names;
    }
}
