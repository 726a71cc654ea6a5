package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** How a producer that is never sure sends its records: each once to so many times, new ones in order, old ones anyhow. */
final class Deliveries {

    private final List<AppendRecord> numbered;
    private final int[] times;
    private final int most;
    private final int perRequest;
    private final Random random;
    private int next;

    Deliveries(List<AppendRecord> numbered, int most, int perRequest, Random random) {
        this.numbered = numbered;
        this.times = new int[numbered.size()];
        this.most = most;
        this.perRequest = perRequest;
        this.random = random;
    }

    boolean done() {
        return next == numbered.size();
    }

    /** The next request: what is new, or a repetition that may reach into what is new. */
    List<AppendRecord> request() {
        int from = next > 0 && random.nextBoolean() ? Math.max(0, next - 1 - random.nextInt(8 * perRequest)) : next;
        int to = Math.min(numbered.size(), from + 1 + random.nextInt(2 * perRequest));
        List<AppendRecord> request = new ArrayList<>();
        for (int i = from; i < to; i++) {
            if (times[i] < most) {
                times[i]++;
                request.add(numbered.get(i));
            }
        }
        next = Math.max(next, to);
        return request;
    }

    /** How many records were sent so many times. */
    int sent(int often) {
        int count = 0;
        for (int each : times) {
            count += each == often ? 1 : 0;
        }
        return count;
    }

    /** How many records were sent, every time counted. */
    int total() {
        int sum = 0;
        for (int each : times) {
            sum += each;
        }
        return sum;
    }
}
