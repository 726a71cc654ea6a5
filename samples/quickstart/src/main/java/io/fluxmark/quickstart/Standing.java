package io.fluxmark.quickstart;

/**
 * How far the run is.
 *
 * @param appended records in the log
 * @param counted records that the slower job has committed
 * @param watermarkLagMillis the arrival clock less the slowest lane's committed watermark; -1 while that is unknown
 */
record Standing(long appended, long counted, long watermarkLagMillis) {

    long consumerLag() {
        return Math.max(0, appended - counted);
    }
}
