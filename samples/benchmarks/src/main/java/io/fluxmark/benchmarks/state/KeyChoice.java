package io.fluxmark.benchmarks.state;

import java.util.SplittableRandom;

/** Which keys are updated. */
enum KeyChoice {
    /** Each once, in order: how the state comes to be. */
    EACH_ONCE("each key once, in order") {
        @Override
        long key(long update, long keys, SplittableRandom random) {
            return update;
        }
    },
    /** Any, all alike. */
    UNIFORM("uniform") {
        @Override
        long key(long update, long keys, SplittableRandom random) {
            return random.nextLong(keys);
        }
    },
    /** Nine in ten updates meet one key in a hundred; these lie scattered among the others. */
    HOT_SET("90 % on 1 % of the keys") {
        @Override
        long key(long update, long keys, SplittableRandom random) {
            return random.nextInt(10) == 0 ? random.nextLong(keys) : random.nextLong(keys / 100 + 1) * 100 % keys;
        }
    };

    private final String title;

    KeyChoice(String title) {
        this.title = title;
    }

    abstract long key(long update, long keys, SplittableRandom random);

    @Override
    public String toString() {
        return title;
    }
}
