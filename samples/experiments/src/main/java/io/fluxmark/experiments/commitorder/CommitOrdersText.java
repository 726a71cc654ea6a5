package io.fluxmark.experiments.commitorder;

import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about orders of commit, around the measured tables. */
final class CommitOrdersText {

    /** Kills of 1,000 that leave duplicates when the state is committed first. */
    private static final Prediction DUPLICATES = new Prediction(50, 300);

    /** Kills of 1,000 that leave gaps when the offset is committed first. */
    private static final Prediction GAPS = new Prediction(600, 900);

    private static final double PER = 1_000;

    private CommitOrdersText() {}

    static List<String> of(Table kills, Table resent, long seed) {
        double duplicates = perThousand(kills, CommitOrder.STATE_THEN_OFFSET, "kills_with_duplicates");
        double strayGaps = cell(kills, CommitOrder.STATE_THEN_OFFSET, "kills_with_gaps");
        double gaps = perThousand(kills, CommitOrder.OFFSET_THEN_STATE, "kills_with_gaps");
        double atomic = cell(kills, CommitOrder.ATOMIC, "kills_with_duplicates")
                + cell(kills, CommitOrder.ATOMIC, "kills_with_gaps");
        Table wrong = kills.where("most_by_wrong_kill", most -> !most.equals("0"));
        boolean wholeCycles = wrong.numbers("least_by_wrong_kill").stream().allMatch(CommitOrdersText::isACycle)
                && wrong.numbers("most_by_wrong_kill").stream().allMatch(CommitOrdersText::isACycle);
        return new Section("E9")
                .paragraph(
                        "Measured: **state then offset leaves duplicates after %.0f of 1,000 kills (50 to 300: %s) and gaps"
                                + " after %.0f of all (0: %s); one atomic commit leaves either after %.0f of %,.0f kills (0:"
                                + " %s).** Offset then state leaves gaps after %.0f of 1,000 (600 to 900: %s). Each wrong kill is"
                                + " wrong by exactly the %d records of a transaction: %s.",
                        duplicates,
                        DUPLICATES.verdict(duplicates),
                        strayGaps,
                        new Prediction(0, 0).verdict(strayGaps),
                        atomic,
                        cell(kills, CommitOrder.ATOMIC, "kills"),
                        new Prediction(0, 0).verdict(atomic),
                        gaps,
                        GAPS.verdict(gaps),
                        Counting.CYCLE,
                        Prediction.verdict(wholeCycles))
                .paragraph(
                        "Processes that count records by key (%,d keys, transactions of %d records one after the other,"
                                + " every step forced to disk) are killed with SIGKILL, %d at a time, at a moment drawn uniformly"
                                + " from %d cycles of running; the next one goes on over the same files. After each kill the counts are"
                                + " held, key by key, against the records below the committed offset: too many are duplicates, too few are"
                                + " gaps. In the wrong orders the offset is in a file of its own. \"A cycle\" is a transaction"
                                + " with nothing killed and nothing beside it. Seed %d.",
                        Records.KEYS, Counting.CYCLE, Kills.AT_ONCE, CommitOrders.SPAN_CYCLES, seed)
                .table(
                        kills,
                        "order",
                        "order",
                        "kills",
                        "kills",
                        "kills_with_duplicates",
                        "left duplicates",
                        "kills_with_gaps",
                        "left gaps",
                        "duplicates",
                        "records counted twice",
                        "gaps",
                        "records lost",
                        "cycle_ms",
                        "a cycle, ms")
                .figure("Kills that left a wrong count", "E9-kills.png")
                .paragraph(
                        "A producer that sends 2 %% of its records again, 1,000 records (1 s of event time) later, and"
                                + " no kill: no order of commits helps. The log knows what a producer has sent by its sequences; a"
                                + " pipeline that remembers ids helps for as long as it remembers them.")
                .table(
                        resent,
                        "what",
                        "counted by",
                        "sent",
                        "different records",
                        "counted",
                        "counted",
                        "excess_percent",
                        "too much, %")
                .lines();
    }

    private static boolean isACycle(double records) {
        return records == Counting.CYCLE;
    }

    private static double perThousand(Table kills, CommitOrder order, String column) {
        return PER * cell(kills, order, column) / cell(kills, order, "kills");
    }

    private static double cell(Table kills, CommitOrder order, String column) {
        return kills.where("order", order.text()).number(column);
    }
}
