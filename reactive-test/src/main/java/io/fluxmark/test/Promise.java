package io.fluxmark.test;

/**
 * What a job and a log have acknowledged: no crash may take it back.
 *
 * @param offsets that lanes have told to be committed
 * @param appended how many records of the input the log has acknowledged
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Promise(long[] offsets, int appended) {

    static Promise of(long[] offsets) {
        return new Promise(offsets, 0);
    }

    static Promise of(int lanes, int appended) {
        return new Promise(new long[lanes], appended);
    }

    Promise plus(Promise other) {
        long[] most = offsets.clone();
        for (int lane = 0; lane < most.length; lane++) {
            most[lane] = Math.max(most[lane], other.offsets[lane]);
        }
        return new Promise(most, Math.max(appended, other.appended));
    }
}
