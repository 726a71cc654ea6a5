package io.fluxmark.sinks;

import io.fluxmark.windows.WindowResult;
import java.util.List;
import java.util.Objects;

/**
 * Rows of one commit.
 *
 * @param moment the commit
 * @param rows the rows, by end and start of the window, then by key
 * @param complete whether these are all that were asked for, and not only as many as the limit allows
 */
public record QueryAnswer<K, V>(QueryMoment moment, List<WindowResult<K, V>> rows, boolean complete) {

    /** Copies the list. */
    public QueryAnswer {
        Objects.requireNonNull(moment, "moment");
        rows = List.copyOf(rows);
    }
}
