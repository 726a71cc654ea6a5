package io.fluxmark.experiments.commitorder;

import io.fluxmark.experiments.measure.Figures;
import java.util.ArrayList;
import java.util.List;

/** What the kills in one order have left. */
final class KillTally {

    private final double cycleMillis;
    private final List<Ledger.Difference> all = new ArrayList<>();

    /** @param cycleMillis of a cycle that nothing disturbs */
    KillTally(double cycleMillis) {
        this.cycleMillis = cycleMillis;
    }

    void add(List<Ledger.Difference> differences) {
        all.addAll(differences);
    }

    /** The cells of a row. */
    Object[] row(CommitOrder order) {
        List<Long> wrong = all.stream()
                .map(left -> left.twice() + left.missing())
                .filter(records -> records > 0)
                .toList();
        return new Object[] {
            order.text(),
            all.size(),
            all.stream().filter(left -> left.twice() > 0).count(),
            all.stream().filter(left -> left.missing() > 0).count(),
            all.stream().mapToLong(Ledger.Difference::twice).sum(),
            all.stream().mapToLong(Ledger.Difference::missing).sum(),
            wrong.stream().mapToLong(Long::longValue).min().orElse(0),
            wrong.stream().mapToLong(Long::longValue).max().orElse(0),
            Figures.decimal(cycleMillis, 2)
        };
    }
}
