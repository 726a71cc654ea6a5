package io.fluxmark.benchmarks;

/** Merging sessions in rows of primitives, with one timer for each, which is set anew when it goes off too early. */
final class SessionLoop extends ReferenceLoop {

    private final SessionPool sessions = new SessionPool();
    private final TimerHeap timers = new TimerHeap();
    private final long gap;

    SessionLoop(Generator generator, long gap) {
        super(generator);
        this.gap = gap;
    }

    @Override
    boolean add(long key, long value, long timestamp) {
        long start = timestamp;
        long end = timestamp + gap;
        long count = 1;
        long sum = value;
        long max = value;
        int joined = 0;
        int before = 0;
        for (int i = sessions.head(key), next; i != 0; i = next) {
            next = sessions.next(i);
            if (sessions.get(i, SessionPool.KEY) != key
                    || sessions.get(i, SessionPool.START) >= end
                    || start >= sessions.get(i, SessionPool.END)) {
                before = i;
                continue;
            }
            start = Math.min(start, sessions.get(i, SessionPool.START));
            end = Math.max(end, sessions.get(i, SessionPool.END));
            count += sessions.get(i, SessionPool.COUNT);
            sum += sessions.get(i, SessionPool.SUM);
            max = Math.max(max, sessions.get(i, SessionPool.MAX));
            if (joined == 0) {
                joined = i;
                before = i;
            } else {
                sessions.unlink(i, before);
                sessions.set(i, SessionPool.LIVE, 0);
            }
        }
        if (joined == 0) {
            if (isClosed(end)) {
                return false;
            }
            joined = sessions.allocate(key);
            timers.push(end, joined);
        }
        sessions.set(joined, SessionPool.START, start);
        sessions.set(joined, SessionPool.END, end);
        sessions.set(joined, SessionPool.COUNT, count);
        sessions.set(joined, SessionPool.SUM, sum);
        sessions.set(joined, SessionPool.MAX, max);
        return true;
    }

    @Override
    void fire() {
        while (!timers.isEmpty() && isClosed(timers.firstTime())) {
            int session = timers.firstNumber();
            timers.pop();
            if (sessions.get(session, SessionPool.LIVE) != 0) {
                long end = sessions.get(session, SessionPool.END);
                if (!isClosed(end)) {
                    timers.push(end, session);
                    continue;
                }
                tally.add(
                        sessions.get(session, SessionPool.KEY),
                        sessions.get(session, SessionPool.START),
                        sessions.get(session, SessionPool.COUNT),
                        sessions.get(session, SessionPool.SUM),
                        sessions.get(session, SessionPool.MAX));
                sessions.unlink(session);
            }
            sessions.free(session);
        }
    }
}
