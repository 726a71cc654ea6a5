package io.fluxmark.experiments.measure;

import java.util.ArrayList;
import java.util.List;

/** The text of an experiment in the report: paragraphs, tables and figures, with an empty line between them. */
public final class Section {

    private static final int WIDTH = 120;

    private final String name;
    private final List<String> lines = new ArrayList<>();

    /**
     * An empty section.
     *
     * @param name of the experiment: its files are in the directory of that name
     */
    public Section(String name) {
        this.name = name;
    }

    /** Adds a paragraph, broken into lines. */
    public Section paragraph(String format, Object... figures) {
        separate();
        StringBuilder line = new StringBuilder();
        for (String word : Figures.text(format, figures).split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return this;
    }

    /** Adds a table; see {@link Table#markdown}. */
    public Section table(Table table, String... columnsAndHeadings) {
        separate();
        lines.addAll(table.markdown(columnsAndHeadings));
        return this;
    }

    /** Adds a figure, which is a file of the experiment. */
    public Section figure(String what, String file) {
        separate();
        lines.add("![" + what + "](samples/experiments/results/" + name + "/" + file + ")");
        return this;
    }

    private void separate() {
        if (!lines.isEmpty()) {
            lines.add("");
        }
    }

    /** The text. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
