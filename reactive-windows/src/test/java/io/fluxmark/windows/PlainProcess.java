package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;

/**
 * The oracle of functions over keyed events: a plain loop over events and watermarks, with maps for state and a sorted set
 * of timers. No class of the operator takes part.
 */
final class PlainProcess<K extends Comparable<K>, T, R> implements ProcessContext<K, R> {

    private static final class Cell {
        Object value;
        long last = Long.MIN_VALUE;
    }

    private record Timer<K>(long time, K key) {}

    private final KeyedProcess<K, T, R> function;
    private final Map<String, Long> timesToLive;
    private final Map<String, BinaryOperator<?>> reducers;
    private final Map<String, Map<Object, Cell>> cells = new TreeMap<>();
    private final TreeSet<Timer<K>> timers =
            new TreeSet<>(Comparator.<Timer<K>>comparingLong(Timer::time).thenComparing(Timer::key));
    final List<String> out = new ArrayList<>();
    int late;
    int called;

    private long watermark = Watermark.NONE;
    private long before = Watermark.NONE;
    private K key;
    private long timestamp;
    private long position;
    private boolean inTimer;

    PlainProcess(
            KeyedProcess<K, T, R> function, Map<String, Long> timesToLive, Map<String, BinaryOperator<?>> reducers) {
        this.function = function;
        this.timesToLive = timesToLive;
        this.reducers = reducers;
    }

    void advance(long target) {
        if (target <= watermark) {
            return;
        }
        before = watermark;
        watermark = target;
        callTimers();
        before = target;
    }

    void event(K ofEvent, T event, long time) {
        key = ofEvent;
        timestamp = time;
        position = watermark;
        late += time <= watermark ? 1 : 0;
        inTimer = false;
        function.onEvent(event, this);
        callTimers();
    }

    private void callTimers() {
        while (!timers.isEmpty() && timers.first().time() <= watermark) {
            Timer<K> timer = timers.pollFirst();
            key = timer.key();
            timestamp = timer.time();
            position = Math.max(before, timestamp);
            inTimer = true;
            called++;
            function.onTimer(this);
        }
    }

    @Override
    public K key() {
        return key;
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public long watermark() {
        return watermark == Watermark.END ? watermark : position;
    }

    @Override
    public boolean isLate() {
        return timestamp <= before;
    }

    @Override
    public int sign() {
        return 1;
    }

    @Override
    public boolean setTimer(long time) {
        if (watermark == Watermark.END || (inTimer && time <= timestamp)) {
            return false;
        }
        timers.add(new Timer<>(time, key));
        return true;
    }

    @Override
    public boolean deleteTimer(long time) {
        return timers.remove(new Timer<>(time, key));
    }

    @Override
    public void emit(R value) {
        out.add(value + "@" + timestamp);
    }

    @Override
    public void retract(R value) {
        throw new UnsupportedOperationException();
    }

    /** The values of a state under a key, those that have expired left out. */
    private Cell live(String name, Object under) {
        Cell cell = cells.computeIfAbsent(name, n -> new LinkedHashMap<>()).get(under);
        long timeToLive = timesToLive.getOrDefault(name, 0L);
        return cell == null || (timeToLive > 0 && position >= cell.last + timeToLive) ? null : cell;
    }

    /** The cell to be written; one whose time is over at once is not kept. */
    private Cell write(String name, Object under) {
        Cell cell = live(name, under);
        if (cell == null) {
            cell = new Cell();
            long timeToLive = timesToLive.getOrDefault(name, 0L);
            cells.get(name).remove(under); // what comes anew comes last
            if (timeToLive == 0 || position < timestamp + timeToLive) {
                cells.get(name).put(under, cell);
            }
        }
        cell.last = Math.max(cell.last, timestamp);
        return cell;
    }

    private void forget(String name, Object under) {
        cells.computeIfAbsent(name, n -> new LinkedHashMap<>()).remove(under);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // handles of the kind that is asked for
    public <H> H state(StateDescriptor<H> descriptor) {
        String name = descriptor.name();
        if (descriptor instanceof ValueDescriptor<?>) {
            return (H) new Value(name);
        }
        if (descriptor instanceof ReducingDescriptor<?>) {
            return (H) new Reducing(name, (BinaryOperator<Object>) reducers.get(name));
        }
        return descriptor instanceof ListDescriptor<?> ? (H) new PlainList(name) : (H) new PlainMap(name);
    }

    private final class Value implements ValueState<Object> {
        private final String name;

        Value(String name) {
            this.name = name;
        }

        @Override
        public Object get() {
            Cell cell = live(name, key);
            return cell == null ? null : cell.value;
        }

        @Override
        public void set(Object value) {
            write(name, key).value = value;
        }

        @Override
        public void clear() {
            forget(name, key);
        }
    }

    private final class Reducing implements ReducingState<Object> {
        private final String name;
        private final BinaryOperator<Object> reducer;

        Reducing(String name, BinaryOperator<Object> reducer) {
            this.name = name;
            this.reducer = reducer;
        }

        @Override
        public Object get() {
            Cell cell = live(name, key);
            return cell == null ? null : cell.value;
        }

        @Override
        public void add(Object value) {
            Object held = get();
            write(name, key).value = held == null ? value : reducer.apply(held, value);
        }

        @Override
        public void clear() {
            forget(name, key);
        }
    }

    private final class PlainList implements ListState<Object> {
        private final String name;

        PlainList(String name) {
            this.name = name;
        }

        @Override
        @SuppressWarnings("unchecked")
        public List<Object> get() {
            Cell cell = live(name, key);
            return cell == null ? List.of() : List.copyOf((List<Object>) cell.value);
        }

        @Override
        public void add(Object element) {
            List<Object> all = new ArrayList<>(get());
            all.add(element);
            write(name, key).value = all;
        }

        @Override
        public long size() {
            return get().size();
        }

        @Override
        public void forEach(Consumer<? super Object> action) {
            get().forEach(action);
        }

        @Override
        public void clear() {
            forget(name, key);
        }
    }

    private final class PlainMap implements MapState<Object, Object> {
        private final String name;

        PlainMap(String name) {
            this.name = name;
        }

        private List<Object> under(Object mapKey) {
            return List.of(key, mapKey);
        }

        @Override
        public Object get(Object mapKey) {
            Cell cell = live(name, under(mapKey));
            return cell == null ? null : cell.value;
        }

        @Override
        public void put(Object mapKey, Object value) {
            write(name, under(mapKey)).value = value;
        }

        @Override
        public void remove(Object mapKey) {
            forget(name, under(mapKey));
        }

        @Override
        public boolean isEmpty() {
            return size() == 0;
        }

        @Override
        public long size() {
            long[] size = {0};
            forEach((mapKey, value) -> size[0]++);
            return size[0];
        }

        @Override
        public void forEach(BiConsumer<? super Object, ? super Object> action) {
            Map<Object, Cell> all = cells.computeIfAbsent(name, n -> new LinkedHashMap<>());
            for (Object each : List.copyOf(all.keySet())) {
                List<?> pair = (List<?>) each;
                if (pair.get(0).equals(key) && live(name, each) != null) {
                    action.accept(pair.get(1), all.get(each).value);
                }
            }
        }

        @Override
        public void clear() {
            cells.computeIfAbsent(name, n -> new LinkedHashMap<>())
                    .keySet()
                    .removeIf(each -> ((List<?>) each).get(0).equals(key));
        }
    }
}
