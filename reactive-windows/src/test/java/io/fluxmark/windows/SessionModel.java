package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sessions of counts, written as plainly as their rules (S16 to S20): a list of sessions that is searched, sorted and
 * filtered. Shares nothing with the operator.
 */
final class SessionModel {

    private static final class Session {
        final String key;
        final long start;
        final long end;
        final long count;
        Long fired;

        Session(String key, long start, long end, long count) {
            this.key = key;
            this.start = start;
            this.end = end;
            this.count = count;
        }

        String text(String sign, long value) {
            return key + sign + "[" + start + "," + end + "):" + value;
        }
    }

    private final long lateness;
    private List<Session> sessions = new ArrayList<>();
    private long watermark = Long.MIN_VALUE;
    final List<String> out = new ArrayList<>();
    final List<WindowScript.Event> accepted = new ArrayList<>();
    long late;
    long merges;
    long retractions;
    long fires;

    SessionModel(long lateness) {
        this.lateness = lateness;
    }

    void event(WindowScript.Event event) {
        if (watermark != Long.MIN_VALUE && event.time() <= watermark - lateness) {
            late++;
            return;
        }
        accepted.add(event);
        long start = event.time();
        long end = start + event.gap();
        long count = 1;
        List<Session> joined = new ArrayList<>();
        for (boolean grown = true; grown; ) {
            grown = false;
            for (Session s : List.copyOf(sessions)) {
                if (s.key.equals(event.key()) && s.start < end && start < s.end) {
                    sessions.remove(s);
                    joined.add(s);
                    start = Math.min(start, s.start);
                    end = Math.max(end, s.end);
                    count += s.count;
                    grown = true;
                }
            }
        }
        merges += Math.max(0, joined.size() - 1);
        joined.sort(Comparator.comparingLong(s -> s.start));
        for (Session s : joined) {
            if (s.fired != null) {
                out.add(s.text("-", s.fired));
                retractions++;
            }
        }
        Session session = new Session(event.key(), start, end, count);
        sessions.add(session);
        if (end - 1 <= watermark) {
            fire(session);
        }
    }

    private void fire(Session session) {
        session.fired = session.count;
        out.add(session.text("+", session.count));
        fires++;
    }

    void watermark(long to) {
        if (to <= watermark) {
            return;
        }
        watermark = to;
        sessions.sort(Comparator.<Session>comparingLong(s -> s.end)
                .thenComparingLong(s -> s.start)
                .thenComparing(s -> s.key));
        sessions.stream().filter(s -> s.end - 1 <= to && s.fired == null).forEach(this::fire);
        sessions.removeIf(s -> to == Long.MAX_VALUE || s.end - 1 + lateness <= to);
    }

    long held() {
        return sessions.size();
    }

    long open() {
        return sessions.stream().filter(s -> s.fired == null).count();
    }

    /** The sessions of all events together, each as the text of its emission. */
    static Map<String, Long> batch(List<WindowScript.Event> events) {
        Map<String, List<WindowScript.Event>> byKey = new TreeMap<>();
        events.forEach(
                e -> byKey.computeIfAbsent(e.key(), k -> new ArrayList<>()).add(e));
        Map<String, Long> sessions = new LinkedHashMap<>();
        byKey.forEach((key, list) -> {
            list.sort(Comparator.comparingLong(WindowScript.Event::time));
            long start = list.get(0).time();
            long end = start;
            long count = 0;
            for (WindowScript.Event event : list) {
                if (count > 0 && event.time() >= end) {
                    sessions.put(key + "[" + start + "," + end + ")", count);
                    start = event.time();
                    count = 0;
                }
                end = count == 0 ? event.time() + event.gap() : Math.max(end, event.time() + event.gap());
                count++;
            }
            sessions.put(key + "[" + start + "," + end + ")", count);
        });
        return sessions;
    }

    /** What is left of emissions; fails where one takes back what is not there, or stands beside another. */
    static Map<String, Long> fold(List<String> emissions) {
        Map<String, Long> live = new TreeMap<>();
        for (String emission : emissions) {
            int colon = emission.lastIndexOf(':');
            long value = Long.parseLong(emission.substring(colon + 1));
            String slot = emission.substring(0, 1) + emission.substring(2, colon);
            Long before = emission.charAt(1) == '+' ? live.put(slot, value) : live.remove(slot);
            if (emission.charAt(1) == '+' ? before != null : before == null || before != value) {
                throw new AssertionError(emission + " beside " + before);
            }
        }
        return live;
    }
}
