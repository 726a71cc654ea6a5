package io.fluxmark.state;

/** A lane of a job. */
record LaneId(String job, int lane) {

    private static final int MAX_NAME = 200;

    LaneId {
        if (job.isEmpty() || job.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "job must have 1 to " + MAX_NAME + " characters but was \"" + job + "\"");
        }
        if (lane < 0) {
            throw new IllegalArgumentException("lane must not be negative but was " + lane);
        }
    }

    @Override
    public String toString() {
        return "lane " + lane + " of job " + job;
    }
}
