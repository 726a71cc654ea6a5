package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Joins of events that are in the same window. */
class WindowJoinTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 2_000 : 100;
    private static final long SEED = 45_010;
    private static final List<JoinKind> KINDS = List.of(JoinKind.values());

    private static EventFlux<String> join(WindowJoinFlux<String, String, String> join, JoinKind kind) {
        EventFlux<WindowResult<String, List<String>>> results =
                switch (kind) {
                    case INNER -> join.inner(JoinScript::pair);
                    case LEFT -> join.left(JoinScript::pair);
                    case RIGHT -> join.right(JoinScript::pair);
                    case FULL -> join.full(JoinScript::pair);
                };
        return results.map(result -> (result.isRetraction() ? "-" : "")
                + result.key()
                + result.window().start()
                + result.value());
    }

    private static JoinScript script(WindowSpec windows, JoinKind kind) {
        JoinScript script = new JoinScript();
        return script.start(joined -> join(joined.window(windows).countersTo(script.counters::set), kind));
    }

    @Test
    void allPairsOfAWindowAreOneResult() {
        JoinScript script = script(TEN, JoinKind.INNER);
        script.left("a:l@1", "a:m@9", "a:n@10", "b:l@3")
                .right("a:r@0", "a:s@8", "a:t@20")
                .watermark(8);
        assertThat(script.joined()).isEmpty();
        script.watermark(9);
        assertThat(script.joined()).containsExactly("a0[a:l@1+a:r@0, a:l@1+a:s@8, a:m@9+a:r@0, a:m@9+a:s@8]@9");
        script.end();
        assertThat(script.joined()).isEmpty();
    }

    @Test
    void whatIsAloneInItsWindowIsEmittedWithIt() {
        Map<JoinKind, List<String>> expected = Map.of(
                JoinKind.INNER, List.of("c0[c:l@1+c:r@2]@9"),
                JoinKind.LEFT, List.of("a0[a:l@1+null]@9", "c0[c:l@1+c:r@2]@9"),
                JoinKind.RIGHT, List.of("b0[null+b:r@2]@9", "c0[c:l@1+c:r@2]@9"),
                JoinKind.FULL, List.of("a0[a:l@1+null]@9", "b0[null+b:r@2]@9", "c0[c:l@1+c:r@2]@9"));
        expected.forEach((kind, results) -> {
            JoinScript script = script(TEN, kind);
            script.left("a:l@1", "c:l@1").right("b:r@2", "c:r@2").watermark(9);
            assertThat(script.joined()).as("%s", kind).isEqualTo(results);
        });
    }

    @Test
    void aLateEventTakesTheResultBackAndOneThatIsTooLateIsCounted() {
        JoinScript script = new JoinScript();
        script.start(joined -> join(
                joined.window(TEN.allowedLateness(Duration.ofMillis(5)))
                        .lateTo(LateSink.calling(script.lateLeft::add), LateSink.calling(script.lateRight::add))
                        .countersTo(script.counters::set),
                JoinKind.LEFT));
        script.correcting().left("a:l@1").watermark(9);
        assertThat(script.joined()).containsExactly("a0[a:l@1+null]@9");
        script.right("a:r@2");
        assertThat(script.joined()).containsExactly("-a0[a:l@1+null]@9", "a0[a:l@1+a:r@2]@9");
        script.watermark(14).right("a:s@3").left("a:m@4");
        assertThat(script.joined()).isEmpty();
        assertThat(script.lateRight).extracting(LateEvent::value).containsExactly("a:s@3");
        assertThat(script.lateLeft).extracting(LateEvent::value).containsExactly("a:m@4");
        assertThat(script.counts().get(Counter.SIDE)).isEqualTo(2);
        assertThat(script.counts().get(Counter.REFIRED)).isEqualTo(1);
        assertThat(script.counts().sumHolds()).isTrue();
    }

    /** An inner result that is empty until a late event comes is not shown before. */
    @Test
    void anEmptyResultIsNeitherShownNorTakenBack() {
        JoinScript script = script(TEN.allowedLateness(Duration.ofMillis(5)), JoinKind.INNER);
        script.correcting().left("a:l@1").watermark(9);
        assertThat(script.seen()).containsExactly("W9");
        script.right("a:r@2");
        assertThat(script.joined()).containsExactly("a0[a:l@1+a:r@2]@9");
    }

    @Test
    void aSessionIsOfTheEventsOfBoth() {
        JoinScript script = script(WindowSpec.session(Duration.ofMillis(10)), JoinKind.FULL);
        script.left("a:l@0", "a:m@15").right("a:r@8", "a:s@40").end();
        assertThat(script.joined()).containsExactly("a0[a:l@0+a:r@8, a:m@15+a:r@8]@24", "a40[null+a:s@40]@49");
    }

    @Test
    void windowsWithoutAnEndInEventTimeAreRefused() {
        KeyedFlux<String, String> events =
                EventFlux.<String>fromElements(Flux.never()).keyBy(JoinScript::key);
        assertThatThrownBy(() -> events.join(events).window(WindowSpec.count(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("join in tumbling, sliding, calendar or session windows, or within an interval");
    }

    @Test
    void s51AnyRunsEqualNestedLoopsOverEachWindow() {
        long pairs = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED + i);
            List<String> left = stream(random, "l");
            List<String> right = stream(random, "r");
            JoinKind kind = KINDS.get(random.nextInt(KINDS.size()));
            long slide = 5 + 5L * random.nextInt(2);
            WindowSpec windows = WindowSpec.sliding(Duration.ofMillis(10), Duration.ofMillis(slide));
            List<String> joined = new ArrayList<>();
            join(keyed(left, random).join(keyed(right, random)).window(windows), kind)
                    .toFlux()
                    .doOnNext(joined::add)
                    .blockLast(WAIT);
            List<String> results =
                    joined.stream().map(WindowJoinTest::sorted).sorted().toList();
            List<String> expected = nested(left, right, kind, slide);
            assertThat(results)
                    .as("case %d, %s, slide %d: %s, %s", i, kind, slide, left, right)
                    .isEqualTo(expected);
            pairs += expected.size();
        }
        System.out.printf("window joins: %d cases, %d results, seed %d%n", CASES, pairs, SEED);
    }

    /** A result with its pairs in order. */
    private static String sorted(String result) {
        int begin = result.indexOf('[') + 1;
        List<String> pairs = new ArrayList<>(
                List.of(result.substring(begin, result.length() - 1).split(", ")));
        Collections.sort(pairs);
        return result.substring(0, begin) + String.join(", ", pairs) + "]";
    }

    private static List<String> nested(List<String> left, List<String> right, JoinKind kind, long slide) {
        TreeMap<String, List<String>> results = new TreeMap<>();
        TreeSet<String> keys = new TreeSet<>();
        left.forEach(event -> keys.add(JoinScript.key(event)));
        right.forEach(event -> keys.add(JoinScript.key(event)));
        for (String key : keys) {
            for (long start = -200; start < 1_000; start += slide) {
                List<String> ls = in(left, key, start);
                List<String> rs = in(right, key, start);
                List<String> pairs = new ArrayList<>();
                ls.forEach(l -> rs.forEach(r -> pairs.add(JoinScript.pair(l, r))));
                if (rs.isEmpty() && (kind == JoinKind.LEFT || kind == JoinKind.FULL)) {
                    ls.forEach(l -> pairs.add(JoinScript.pair(l, null)));
                }
                if (ls.isEmpty() && (kind == JoinKind.RIGHT || kind == JoinKind.FULL)) {
                    rs.forEach(r -> pairs.add(JoinScript.pair(null, r)));
                }
                if (!pairs.isEmpty()) {
                    results.put(key + start, pairs);
                }
            }
        }
        return results.entrySet().stream()
                .map(each -> sorted(each.getKey() + each.getValue()))
                .sorted()
                .toList();
    }

    private static List<String> in(List<String> events, String key, long start) {
        return events.stream()
                .filter(event -> JoinScript.key(event).equals(key)
                        && JoinScript.time(event) >= start
                        && JoinScript.time(event) < start + 10)
                .toList();
    }

    private static KeyedFlux<String, String> keyed(List<String> events, Random random) {
        return EventFlux.from(Flux.fromIterable(events), 1 + random.nextInt(20))
                .watermarksMillis(JoinScript::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(30)))
                .keyBy(JoinScript::key);
    }

    private static List<String> stream(Random random, String side) {
        List<String> events = new ArrayList<>();
        long time = random.nextInt(30);
        int size = random.nextInt(40);
        for (int i = 0; i < size; i++) {
            time += random.nextInt(5);
            events.add("k" + random.nextInt(3) + ":" + side + i + "@" + (time - random.nextInt(30)));
        }
        return events;
    }
}
