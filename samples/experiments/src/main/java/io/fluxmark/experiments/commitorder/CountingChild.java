package io.fluxmark.experiments.commitorder;

import java.nio.file.Path;

/** A process that counts until it is killed. */
final class CountingChild {

    /** Is printed when it counts. */
    static final String UP = "up";

    private static final int WARM_UP = 5;

    private CountingChild() {}

    /** @param args directory, order, how many cycles at most */
    public static void main(String[] args) {
        int most = Integer.parseInt(args[2]);
        try (CountStore store = CountStore.open(Path.of(args[0]))) {
            Counting counting = new Counting(store, CommitOrder.valueOf(args[1]), record -> record);
            for (int cycle = 0; cycle < most; cycle++) {
                if (cycle == WARM_UP) {
                    System.out.println(UP);
                }
                counting.cycle();
            }
        }
    }
}
