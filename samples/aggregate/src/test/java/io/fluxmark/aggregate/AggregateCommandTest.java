package io.fluxmark.aggregate;

import static io.fluxmark.aggregate.Aggregated.events;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AggregateCommandTest {

    /** 1, 5, then the watermark at 12, 7, at 18, 2, at 19, 3: other keys move it. */
    private static final String S12 =
            """
            {"t":1,"k":"a"}
            {"t":5,"k":"a"}
            {"t":13,"k":"m"}
            {"t":7,"k":"a"}
            {"t":19,"k":"m"}
            {"t":2,"k":"a"}
            {"t":20,"k":"m"}
            {"t":3,"k":"a"}
            """;

    @TempDir
    private Path directory;

    private Aggregated run(String content, String... options) {
        List<String> all = new ArrayList<>(List.of("--time", "t", "--check-batch"));
        if (!List.of(options).contains("--key")) {
            all.addAll(List.of("--key", "k"));
        }
        all.addAll(List.of(options));
        return Aggregated.of(directory, "events.ndjson", content, all.toArray(String[]::new));
    }

    private static List<String> ofKeyA(Aggregated run) {
        return run.emissions().stream().filter(text -> text.contains("a[")).toList();
    }

    private static final String WITH_IDS =
            """
            {"t":10,"k":"a","id":"x","part":1}
            {"t":1,"k":"a","id":"x","part":1}
            {"t":12,"k":"b","id":"x","part":1}
            {"t":12,"k":"a","id":"x","part":2}
            {"t":21,"k":"a","id":"y","part":1}
            {"t":25,"k":"a","id":"x","part":1}
            {"t":2,"k":"a","id":"z","part":1}
            {"t":26,"k":"a","part":1}
            {"t":27,"k":"a","id":null,"part":1}
            """;

    /** S39, C104: x at 10, 1, 12 counts once; it is forgotten when the watermark has come to 20. */
    @Test
    void s39OnlyTheFirstEventOfAnIdCounts() {
        Aggregated run = run(
                WITH_IDS, "--window", "tumbling:10ms", "--delay", "0", "--dedupe", "id,part", "--dedupe-ttl", "10ms");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.emissions()).containsExactly("+a[10,20):2", "+a[20,30):2");
        assertThat(run.count("ingested")).isEqualTo(9);
        assertThat(run.count("accepted")).isEqualTo(4);
        assertThat(run.count("duplicates")).isEqualTo(2);
        assertThat(run.count("dropped")).as("z, which can't be judged any more").isEqualTo(1);
        assertThat(run.count("rejected"))
                .as("without an id, and with null for one")
                .isEqualTo(2);
        assertThat(run.sumHolds()).isTrue();
        assertThat(run.err())
                .contains("there is no id field 'id'", "of 9 events 2 rejected, 1 dropped as too late, 2 seen before");
    }

    @Test
    void s39WhatCanNotBeJudgedGoesToTheLateOutput() {
        Aggregated run = run(
                WITH_IDS,
                "--window",
                "tumbling:10ms",
                "--delay",
                "0",
                "--dedupe",
                "id",
                "--dedupe-ttl",
                "10ms",
                "--late-output",
                "LATE");
        assertThat(run.count("duplicates")).isEqualTo(3);
        assertThat(run.count("side")).isEqualTo(1);
        assertThat(run.late()).hasSize(1).first().asString().contains("\"id\":\"z\"", "\"windows\":[]");
        assertThat(run.sumHolds()).isTrue();
    }

    /** In lanes of their own partitions have ids of their own; with one watermark for all they share them. */
    @Test
    void duplicatesAreThoseOfALane() {
        String lines =
                """
                {"t":10,"k":"a","id":"x","p":0}
                {"t":11,"k":"b","id":"x","p":1}
                """;
        String[] options = {"--window", "tumbling:10ms", "--dedupe", "id", "--partitions", "2", "--partition-by", "p"};
        Aggregated lanes = run(lines, options);
        assertThat(lanes.count("duplicates")).isZero();
        String[] global = Arrays.copyOf(options, options.length + 1);
        global[options.length] = "--global";
        assertThat(run(lines, global).count("duplicates")).isEqualTo(1);
    }

    @Test
    void aTimeToLiveOfIdsThatDoesNotGoWithTheRestIsRefused() {
        Aggregated late = run(
                WITH_IDS, "--window", "tumbling:10ms", "--dedupe", "id", "--dedupe-ttl", "10m", "--lateness", "10m");
        assertThat(late.exit()).isEqualTo(64);
        assertThat(late.err()).contains("--dedupe-ttl 10m is not more than --lateness 10m", "raise --dedupe-ttl");
        Aggregated alone = run(WITH_IDS, "--window", "tumbling:10ms", "--dedupe-ttl", "10m");
        assertThat(alone.exit()).isEqualTo(64);
        assertThat(alone.err()).contains("add --dedupe FIELD");
        Aggregated none = run(WITH_IDS, "--window", "tumbling:10ms", "--dedupe", "id", "--dedupe-ttl", "0");
        assertThat(none.exit()).isEqualTo(64);
        assertThat(none.err()).contains("--dedupe-ttl is 0: use 1ms or more");
    }

    @Test
    void s12DropSideAndReFireThroughTheCommand() {
        Aggregated drop = run(S12, "--window", "tumbling:10ms", "--delay", "0");
        assertThat(drop.exit()).isZero();
        assertThat(ofKeyA(drop)).containsExactly("+a[0,10):2");
        assertThat(drop.count("dropped")).isEqualTo(3);
        assertThat(drop.sumHolds()).isTrue();

        Aggregated side =
                run(S12, "--window", "tumbling:10ms", "--delay", "0", "--late", "side", "--late-output", "LATE");
        assertThat(ofKeyA(side)).containsExactly("+a[0,10):2");
        assertThat(side.count("side")).isEqualTo(3);
        assertThat(side.count("dropped")).isZero();
        assertThat(side.sumHolds()).isTrue();
        assertThat(side.late())
                .containsExactly(
                        "{\"event\":{\"t\":7,\"k\":\"a\"},\"timestamp\":7,\"watermark\":12,\"lateBy\":5,\"windows\":[[0,10]]}",
                        "{\"event\":{\"t\":2,\"k\":\"a\"},\"timestamp\":2,\"watermark\":18,\"lateBy\":16,\"windows\":[[0,10]]}",
                        "{\"event\":{\"t\":3,\"k\":\"a\"},\"timestamp\":3,\"watermark\":19,\"lateBy\":16,\"windows\":[[0,10]]}");

        Aggregated reFire = run(S12, "--window", "tumbling:10ms", "--delay", "0", "--lateness", "10ms");
        assertThat(ofKeyA(reFire))
                .containsExactly("+a[0,10):2", "-a[0,10):2", "+a[0,10):3", "-a[0,10):3", "+a[0,10):4");
        assertThat(reFire.count("refired")).isEqualTo(2);
        assertThat(reFire.count("dropped")).isEqualTo(1);
        assertThat(reFire.count("retractions")).isEqualTo(2);
        assertThat(reFire.sumHolds()).isTrue();
        assertThat(reFire.err()).contains("batch check: equal");
    }

    @Test
    void aLineSaysAllOfAnEmission() {
        Aggregated run = run(
                "{\"t\":3,\"k\":\"a\",\"at\":100}\n{\"t\":12,\"k\":\"a\",\"at\":105}\n",
                "--window",
                "tumbling:10ms",
                "--delay",
                "0",
                "--arrival",
                "at");
        assertThat(run.lines())
                .containsExactly(
                        "{\"kind\":\"ON_TIME\",\"key\":\"a\",\"start\":0,\"end\":10,\"value\":{\"count\":1},\"revision\":0,"
                                + "\"watermark\":11,\"at\":105,\"lateForWindow\":0}",
                        "{\"kind\":\"ON_TIME\",\"key\":\"a\",\"start\":10,\"end\":20,\"value\":{\"count\":1},\"revision\":0,"
                                + "\"watermark\":9223372036854775807,\"at\":105,\"lateForWindow\":0}");
    }

    @Test
    void s04TheWatermarkMovesWithEveryEventWhateverTheRunSize() {
        Aggregated run = run(events(3, 12, 8, 14, 15, 9), "--window", "tumbling:10ms", "--delay", "5ms");
        assertThat(run.emissions()).containsExactly("+a[0,10):2", "+a[10,20):3");
        assertThat(run.count("dropped")).isEqualTo(1);
        assertThat(run.count("lastWatermark")).isEqualTo(9);
    }

    @Test
    void s36AFarFutureEventIsRejectedByTheArrivalClock() {
        StringBuilder content = new StringBuilder();
        for (long time : new long[] {1, 2, 1_000_000_000_000_000L, 3, 4}) {
            content.append("{\"t\":").append(time).append(",\"k\":\"a\",\"at\":1000}\n");
        }
        Aggregated run = run(
                content.toString(),
                "--window",
                "tumbling:10ms",
                "--delay",
                "5ms",
                "--arrival",
                "at",
                "--max-ahead",
                "60ms");
        assertThat(run.emissions()).containsExactly("+a[0,10):4");
        assertThat(run.count("rejected")).isEqualTo(1);
        assertThat(run.err()).contains("line 3").contains("1000000000000000");
        assertThat(run.sumHolds()).isTrue();
    }

    @Test
    void s07AnEventCanBeLateForOneOfItsSlidingWindows() {
        Aggregated run = run(events(12, 15, 13), "--window", "sliding:10ms/5ms", "--delay", "0");
        assertThat(run.emissions()).containsExactly("+a[5,15):1", "+a[10,20):3", "+a[15,25):1");
        assertThat(run.count("partial")).isEqualTo(1);
        assertThat(run.count("lateAssignments")).isEqualTo(1);
        assertThat(run.count("acceptedAssignments")).isEqualTo(5);
    }

    @Test
    void s08AnEventBetweenWindowsIsUnassigned() {
        Aggregated run = run(events(12, 17), "--window", "sliding:5ms/10ms", "--delay", "0");
        assertThat(run.emissions()).containsExactly("+a[10,15):1");
        assertThat(run.count("unassigned")).isEqualTo(1);
        assertThat(run.sumHolds()).isTrue();
    }

    @Test
    void s05OffsetsAndTimesBeforeTheEpoch() {
        assertThat(run(events(-11, -1, 3), "--window", "tumbling:10ms+5ms", "--delay", "0")
                        .emissions())
                .containsExactly("+a[-15,-5):1", "+a[-5,5):2");
        assertThat(run(events(-8), "--window", "tumbling:10ms-3ms", "--delay", "0")
                        .emissions())
                .containsExactly("+a[-13,-3):1");
    }

    @Test
    void s09ADayOfAZoneIsAsLongAsItIs() {
        String content =
                "{\"t\":\"2025-03-30T12:00:00+02:00\",\"k\":\"a\"}\n{\"t\":\"2025-03-31T00:30:00+02:00\",\"k\":\"a\"}\n";
        Aggregated run = run(content, "--window", "day:Europe/Berlin", "--time-unit", "iso");
        assertThat(run.emissions())
                .containsExactly("+a[1743289200000,1743372000000):1", "+a[1743372000000,1743458400000):1");
        assertThat(run.err()).contains("batch check: equal (2 windows");
    }

    @Test
    void s40EarlyResultsByCountInEachMode() {
        String content = events(1, 2, 3, 4, 5);
        String[] common = {"--window", "tumbling:10ms", "--delay", "0", "--early-count", "2", "--accumulate"};
        assertThat(run(content, with(common, "accumulate")).emissions())
                .containsExactly("+a[0,10):2", "+a[0,10):4", "+a[0,10):5");
        assertThat(run(content, with(common, "discard")).emissions())
                .containsExactly("+a[0,10):2", "+a[0,10):2", "+a[0,10):1");
        assertThat(run(content, with(common, "retract")).emissions())
                .containsExactly("+a[0,10):2", "-a[0,10):2", "+a[0,10):4", "-a[0,10):4", "+a[0,10):5");
    }

    @Test
    void s40EarlyResultsByTheArrivalClock() {
        String content =
                """
                {"t":1,"k":"a","at":1000}
                {"t":2,"k":"a","at":1010}
                {"t":3,"k":"a","at":1125}
                {"t":4,"k":"a","at":1130}
                {"t":20,"k":"a","at":1500}
                """;
        Aggregated run =
                run(content, "--window", "tumbling:10ms", "--delay", "0", "--arrival", "at", "--early", "100ms");
        assertThat(run.emissions()).containsExactly("+a[0,10):2", "-a[0,10):2", "+a[0,10):4", "+a[20,30):1");
        assertThat(run.member("at")).containsExactly("1100", "1200", "1200", "1500");
        assertThat(run.member("kind")).containsExactly("EARLY", "RETRACT", "EARLY", "ON_TIME");
    }

    @Test
    void aggregationsAreNamedAsAskedForAndExact() {
        String content =
                """
                {"t":1,"k":"a","v":0.1}
                {"t":2,"k":"a","v":0.2}
                {"t":3,"k":"a","v":9223372036854775807}
                {"t":4,"k":"a","v":1}
                {"t":5,"k":"a","v":"no number"}
                {"t":6,"k":"a"}
                """;
        Aggregated run = run(
                content, "--window", "tumbling:10ms", "--delay", "0", "--agg", "count,sum:v,min:v,max:v,avg:v,sum:/k");
        assertThat(run.lines().get(0))
                .contains(
                        "\"value\":{\"count\":6,\"sum:v\":9223372036854775808.3,\"min:v\":0.1,\"max:v\":9223372036854775807,"
                                + "\"avg:v\":2.305843009213694E18,\"sum:/k\":0}");
        assertThat(run.err()).contains("line 1: 'a' in '/k' is no number").contains("batch check: equal");
        assertThat(run.count("notNumbers")).isEqualTo(7);
    }

    @Test
    void severalKeyFieldsAreAnArrayAndNoneIsEmpty() {
        String content = "{\"t\":1,\"k\":\"b\",\"n\":7}\n{\"t\":2,\"k\":\"a\",\"n\":true}\n{\"t\":3,\"k\":\"a\"}\n";
        Aggregated run = run(content, "--window", "tumbling:10ms", "--key", "k,n");
        assertThat(run.json().stream().map(line -> line.get("key").toString()).toList())
                .containsExactly("[\"a\",\"true\"]", "[\"b\",\"7\"]");
        assertThat(run.err()).contains("line 3 is rejected: there is no key field 'n'; it has t, k");

        Aggregated all = Aggregated.of(directory, "e.ndjson", content, "--time", "t", "--window", "tumbling:10ms");
        assertThat(all.member("key")).containsExactly("");
    }

    @Test
    void simultaneousFiringsComeByEndStartAndKeyOverAllPartitions() {
        String content =
                """
                {"t":25,"k":"d","p":0}
                {"t":1,"k":"c","p":1}
                {"t":2,"k":"b","p":2}
                {"t":3,"k":"a","p":1}
                {"t":11,"k":"a","p":1}
                """;
        Aggregated run =
                run(content, "--window", "tumbling:10ms", "--partitions", "3", "--partition-by", "p", "--delay", "1h");
        assertThat(run.emissions())
                .containsExactly("+a[0,10):1", "+b[0,10):1", "+c[0,10):1", "+a[10,20):1", "+d[20,30):1");
    }

    @Test
    void eachPartitionHasItsOwnWatermark() {
        String content =
                """
                {"t":1,"k":"a","p":0}
                {"t":25,"k":"a","p":0}
                {"t":2,"k":"b","p":1}
                """;
        Aggregated run =
                run(content, "--window", "tumbling:10ms", "--partitions", "2", "--partition-by", "p", "--delay", "0");
        assertThat(run.count("dropped")).isZero();
        assertThat(run.emissions()).containsExactly("+a[0,10):1", "+b[0,10):1", "+a[20,30):1");
    }

    @Test
    void aKeyInASecondPartitionEndsTheRunAndNamesTheRemedy() {
        String content =
                "{\"t\":1,\"k\":\"a\",\"p\":0}\n{\"t\":25,\"k\":\"a\",\"p\":0}\n{\"t\":30,\"k\":\"a\",\"p\":1}\n";
        Aggregated run =
                run(content, "--window", "tumbling:10ms", "--partitions", "2", "--partition-by", "p", "--delay", "0");
        assertThat(run.exit()).isEqualTo(65);
        assertThat(run.err()).contains("line 3", "'a'", "partition 1", "partition 0", "--global");
        assertThat(run.emissions()).containsExactly("+a[0,10):1");
    }

    @Test
    void aPartitionThatThereIsNotIsRejected() {
        String content = "{\"t\":1,\"k\":\"a\",\"p\":2}\n{\"t\":1,\"k\":\"a\",\"p\":\"x\"}\n{\"t\":1,\"k\":\"a\"}\n";
        Aggregated run = run(content, "--window", "tumbling:10ms", "--partitions", "2", "--partition-by", "p");
        assertThat(run.count("rejected")).isEqualTo(3);
        assertThat(run.err()).contains("'2' is none of 0 to 1", "'x' is none of 0 to 1", "no partition 'p'");
    }

    @Test
    void badLinesAreReportedWithTheirNumbersAndCounted() {
        String content =
                "{\"t\":1,\"k\":\"a\"}\n\nno json\n[1]\n{\"k\":\"a\"}\n{\"t\":\"soon\",\"k\":\"a\"}\n{\"t\":2,\"k\":\"a\"}\n";
        Aggregated run = run(content, "--window", "tumbling:10ms");
        assertThat(run.exit()).isZero();
        assertThat(run.count("ingested")).isEqualTo(6);
        assertThat(run.count("rejected")).isEqualTo(4);
        assertThat(run.sumHolds()).isTrue();
        assertThat(run.emissions()).containsExactly("+a[0,10):2");
        assertThat(run.err())
                .contains("line 3 is", "line 4 is", "line 5 is", "line 6 is")
                .contains("no time 't'");
    }

    @Test
    void ofManyBadLinesTheFirstAreShownAndTheOthersCounted() {
        Aggregated run = run("x\n".repeat(100), "--window", "tumbling:10ms");
        assertThat(run.err()
                        .lines()
                        .filter(line -> line.contains(" is rejected"))
                        .count())
                .isEqualTo(20);
        assertThat(run.err()).contains("80 more lines are rejected, 100 in all");
    }

    @Test
    void failFastEndsAtTheFirstBadLineWithWhatCameBefore() {
        Aggregated run =
                run(events(1, 12) + "bad\n" + events(30), "--window", "tumbling:10ms", "--delay", "0", "--fail-fast");
        assertThat(run.exit()).isEqualTo(65);
        assertThat(run.err()).contains("line 3").contains("--fail-fast");
        assertThat(run.emissions()).containsExactly("+a[0,10):1");

        Aggregated guarded = run(
                events(1, 12, Long.MAX_VALUE / 4096, 30), "--window", "tumbling:10ms", "--delay", "0", "--fail-fast");
        assertThat(guarded.exit()).isEqualTo(65);
        assertThat(guarded.err()).contains("line 3");
        assertThat(guarded.emissions()).containsExactly("+a[0,10):1");
    }

    @Test
    void s37SecondsReadAsMillisecondsAreSaidOnce() {
        String content = events(1_700_000_000L, 1_700_000_030L);
        Aggregated millis = run(content, "--window", "tumbling:10s");
        assertThat(millis.emissions()).containsExactly("+a[1700000000,1700010000):2");
        assertThat(millis.err().lines().filter(line -> line.contains("warning")).toList())
                .singleElement()
                .asString()
                .contains("look like s", "--time-unit s");

        Aggregated seconds = run(content, "--window", "tumbling:10s", "--time-unit", "s");
        assertThat(seconds.emissions())
                .containsExactly("+a[1700000000000,1700000010000):1", "+a[1700000030000,1700000040000):1");
        assertThat(seconds.err()).doesNotContain("warning");
        assertThat(run(events(1, 5, 12), "--window", "tumbling:10s").err()).doesNotContain("warning");
    }

    @Test
    void sortByHandsEventsInByAFieldAndStably() {
        String content =
                """
                {"t":12,"k":"a","o":"2018-01-01T00:00:02Z"}
                {"t":3,"k":"a","o":"2018-01-01T00:00:01.5+00:00"}
                {"t":5,"k":"a","o":"2018-01-01T01:00:01+01:00"}
                {"t":9,"k":"a"}
                """;
        Aggregated run = run(content, "--window", "tumbling:10ms", "--delay", "0", "--sort-by", "o");
        assertThat(run.emissions()).containsExactly("+a[0,10):2", "+a[10,20):1");
        assertThat(run.count("dropped")).isZero();
        assertThat(run.err()).contains("line 4 is rejected");

        String numbers =
                "{\"t\":12,\"k\":\"a\",\"o\":10}\n{\"t\":3,\"k\":\"a\",\"o\":9.5}\n{\"t\":4,\"k\":\"a\",\"o\":9.5}\n";
        assertThat(run(numbers, "--window", "tumbling:10ms", "--delay", "0", "--sort-by", "o")
                        .emissions())
                .containsExactly("+a[0,10):2", "+a[10,20):1");
    }

    @Test
    void resultsDoNotDependOnRunSizeOrDemand() {
        StringBuilder content = new StringBuilder();
        java.util.Random random = new java.util.Random(42);
        long arrival = 10_000;
        for (int i = 0; i < 3_000; i++) {
            arrival += random.nextInt(3) - (random.nextInt(50) == 0 ? 5 : 0);
            long time = arrival - random.nextInt(60);
            content.append("{\"t\":%d,\"k\":\"k%d\",\"at\":%d,\"p\":%d,\"v\":%d}%n"
                    .formatted(time, i % 7, arrival, i % 7 % 3, random.nextInt(100)));
        }
        for (String[] options : new String[][] {
            {"--window", "tumbling:20ms", "--lateness", "15ms"},
            {"--window", "sliding:20ms/7ms", "--early", "10ms", "--late-output", "LATE"},
            {"--window", "tumbling:20ms+3ms", "--partitions", "3", "--partition-by", "p", "--early", "15ms"},
        }) {
            List<String> expected = null;
            List<String> expectedLate = null;
            JsonNode expectedSummary = null;
            for (String runSize : List.of("256", "7", "1")) {
                for (String request : List.of("", "7", "1")) {
                    List<String> all = new ArrayList<>(Arrays.asList(options));
                    all.addAll(List.of(
                            "--delay", "10ms", "--arrival", "at", "--agg", "count,sum:v", "--run-size", runSize));
                    if (!request.isEmpty()) {
                        all.addAll(List.of("--request", request));
                    }
                    Aggregated run = run(content.toString(), all.toArray(String[]::new));
                    assertThat(run.exit()).as(run.err()).isZero();
                    if (expected == null) {
                        expected = run.lines();
                        expectedLate = run.late();
                        expectedSummary = run.summary();
                        assertThat(expected).hasSizeGreaterThan(500);
                    }
                    assertThat(run.lines())
                            .as("run size %s, request %s", runSize, request)
                            .isEqualTo(expected);
                    assertThat(run.late()).isEqualTo(expectedLate);
                    assertThat(run.summary()).isEqualTo(expectedSummary);
                }
            }
        }
    }

    @Test
    void anArrivalThatGoesBackDoesNotMoveTheClockBack() {
        String content =
                "{\"t\":1,\"k\":\"a\",\"at\":500}\n{\"t\":12,\"k\":\"a\",\"at\":400}\n{\"t\":22,\"k\":\"a\",\"at\":510}\n";
        Aggregated run = run(content, "--window", "tumbling:10ms", "--delay", "0", "--arrival", "at");
        assertThat(run.member("at")).containsExactly("500", "510", "510");
    }

    @Test
    void noEventsIsNoError() {
        Aggregated run = run("", "--window", "tumbling:10ms", "--arrival", "at");
        assertThat(run.exit()).isZero();
        assertThat(run.lines()).isEmpty();
        assertThat(run.count("ingested")).isZero();
        assertThat(run.sumHolds()).isTrue();
    }

    @Test
    void s17SessionsSplitAtTheGap() {
        String content = events(1, 6, 12, 30, 35, 40);
        assertThat(run(content, "--window", "session:10ms", "--delay", "0").emissions())
                .containsExactly("+a[1,22):3", "+a[30,50):3");
        assertThat(run(events(0, 10), "--window", "session:10ms").emissions())
                .containsExactly("+a[0,10):1", "+a[10,20):1");
    }

    @Test
    void s18ALateEventThatJoinsTwoSessionsTakesBothBack() {
        String content =
                """
                {"t":0,"k":"a"}
                {"t":13,"k":"m"}
                {"t":15,"k":"a"}
                {"t":31,"k":"m"}
                {"t":8,"k":"a"}
                """;
        Aggregated run = run(content, "--window", "session:10ms", "--delay", "0", "--lateness", "100ms");
        assertThat(ofKeyA(run)).containsExactly("+a[0,10):1", "+a[15,25):1", "-a[0,10):1", "-a[15,25):1", "+a[0,25):3");
        assertThat(run.count("merges")).isEqualTo(1);
        assertThat(run.count("retractions")).isEqualTo(2);
        assertThat(run.err()).contains("batch check: equal");

        Aggregated accumulating = run(
                content,
                "--window",
                "session:10ms",
                "--delay",
                "0",
                "--lateness",
                "100ms",
                "--accumulate",
                "accumulate");
        assertThat(ofKeyA(accumulating)).containsExactly("+a[0,10):1", "+a[15,25):1", "+a[0,25):3");
        Aggregated discarding = run(
                content, "--window", "session:10ms", "--delay", "0", "--lateness", "100ms", "--accumulate", "discard");
        assertThat(ofKeyA(discarding)).containsExactly("+a[0,10):1", "+a[15,25):1", "+a[0,25):1");
        assertThat(discarding.exit()).isZero();
        assertThat(accumulating.exit()).isZero();
    }

    @Test
    void s20ASessionJudgesTheEventAndSaysWhatItWouldHaveBegun() {
        String content = "{\"t\":0,\"k\":\"a\"}\n{\"t\":7,\"k\":\"m\"}\n{\"t\":3,\"k\":\"a\"}\n";
        Aggregated run = run(content, "--window", "session:5ms", "--delay", "0", "--late-output", "LATE");
        assertThat(ofKeyA(run)).containsExactly("+a[0,5):1");
        assertThat(run.late())
                .containsExactly(
                        "{\"event\":{\"t\":3,\"k\":\"a\"},\"timestamp\":3,\"watermark\":6,\"lateBy\":3,\"windows\":[[3,8]]}");
    }

    @Test
    void everySoManyEventsOfAKeyAndAllOfThem() {
        String content = events(5, 1, 1, 1, 1, 9, 2);
        for (String mode : List.of("retract", "accumulate", "discard")) {
            for (String early : List.of("1", "2", "5")) {
                Aggregated counted = run(content, "--window", "count:2", "--early-count", early, "--accumulate", mode);
                assertThat(counted.exit()).as(counted.err()).isZero();
                Aggregated global = run(content, "--window", "global", "--early-count", early, "--accumulate", mode);
                assertThat(global.exit()).as(global.err()).isZero();
            }
        }
        assertThat(run(content, "--window", "count:2").emissions())
                .containsExactly("+a[1,6):2", "+a[1,2):2", "+a[1,10):2", "+a[2,3):1");
        assertThat(run(content, "--window", "global").member("end")).containsExactly("9223372036854775807");
    }

    private static String arrivals(long... timePartitionArrival) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < timePartitionArrival.length; i += 3) {
            text.append("{\"t\":%d,\"k\":\"a\",\"p\":%d,\"at\":%d}%n"
                    .formatted(timePartitionArrival[i], timePartitionArrival[i + 1], timePartitionArrival[i + 2]));
        }
        return text.toString();
    }

    private Aggregated runGlobal(String content, String... options) {
        List<String> all = new ArrayList<>(List.of("--window", "tumbling:10ms", "--delay", "5ms", "--arrival", "at"));
        all.addAll(List.of("--partitions", "2", "--partition-by", "p", "--global"));
        all.addAll(List.of(options));
        return run(content, all.toArray(String[]::new));
    }

    @Test
    void s25TheGlobalWatermarkIsTheSmallestOverThePartitions() {
        assertThat(runGlobal(arrivals(100, 0, 0)).count("lastWatermark")).isEqualTo(Long.MIN_VALUE);
        Aggregated both = runGlobal(arrivals(100, 0, 0, 40, 1, 1));
        assertThat(both.count("lastWatermark")).isEqualTo(34);
        assertThat(both.emissions()).containsExactly("+a[40,50):1", "+a[100,110):1");
    }

    @Test
    void s27APartitionIsIdleExactlyAtTheTimeOut() {
        Aggregated run = runGlobal(arrivals(100, 0, 0, 40, 1, 1, 100, 0, 5, 100, 0, 10, 100, 0, 15), "--idle", "10ms");
        assertThat(run.emissions()).containsExactly("+a[40,50):1", "+a[100,110):4");
        assertThat(run.member("at")).containsExactly("11", "15");
        assertThat(run.member("watermark").get(0)).isEqualTo("94");
    }

    @Test
    void s29APartitionThatComesBackHoldsTheWatermarkAndIsJudgedByIt() {
        Aggregated run = runGlobal(
                arrivals(100, 0, 0, 40, 1, 1, 100, 0, 5, 100, 0, 10, 50, 1, 12, 93, 1, 13, 120, 0, 14, 130, 1, 15),
                "--idle",
                "10ms");
        assertThat(run.count("dropped")).isEqualTo(1);
        assertThat(run.count("lastWatermark")).isEqualTo(114);
        assertThat(run.emissions())
                .containsExactly("+a[40,50):1", "+a[90,100):1", "+a[100,110):3", "+a[120,130):1", "+a[130,140):1");
    }

    @Test
    void s30TheWatermarkFollowsTheClockWhereThatIsAskedFor() {
        String content = arrivals(15, 0, 0, 16, 0, 12);
        Aggregated run = run(
                content, "--window", "tumbling:10ms", "--delay", "5ms", "--arrival", "at", "--follow-clock", "10ms");
        assertThat(run.lines())
                .containsExactly("{\"kind\":\"ON_TIME\",\"key\":\"a\",\"start\":10,\"end\":20,\"value\":{\"count\":1},"
                        + "\"revision\":0,\"watermark\":19,\"at\":10,\"lateForWindow\":0,\"byTimeout\":true}");
        assertThat(run.count("dropped")).isEqualTo(1);
    }

    @Test
    void whyNothingHasFiredIsToldBeforeTheEndFiresEverything() {
        Aggregated run = runGlobal(arrivals(100, 0, 1_000, 40, 1, 2_000, 101, 0, 9_000), "--explain");
        assertThat(run.err().lines().toList())
                .startsWith(
                        "fluxmark: at the end of the input, before that fires everything:",
                        "window-1 (tumbling PT0.01S): the watermark is 1970-01-01T00:00:00.034Z, held by partition 1",
                        "  partition 1, holds it: newest event 1970-01-01T00:00:00.040Z, 0.061s behind partition 0, nothing"
                                + " since 1970-01-01T00:00:02Z",
                        "  partition 0: newest event 1970-01-01T00:00:00.101Z, nothing since 1970-01-01T00:00:09Z",
                        "  2 open windows with 2 entries; next to fire is [1970-01-01T00:00:00.040Z,"
                                + " 1970-01-01T00:00:00.050Z), when the watermark reaches 1970-01-01T00:00:00.049Z");
        assertThat(run.emissions()).containsExactly("+a[40,50):1", "+a[100,110):2");
        assertThat(run.exit()).isZero();
        assertThat(runGlobal(arrivals(100, 0, 0)).err()).doesNotContain("held by");
    }

    @Test
    void eachPartitionWithItsOwnWindowsIsExplained() {
        String content = "{\"t\":1,\"k\":\"a\",\"p\":0,\"at\":7}\n{\"t\":2,\"k\":\"b\",\"p\":1,\"at\":8}\n";
        String[] options = {"--window", "session:10ms", "--partitions", "3", "--partition-by", "p", "--delay", "0"};
        Aggregated run = run(content, with(with(with(options, "--arrival"), "at"), "--explain"));
        assertThat(run.err())
                .contains(
                        "window-1 (session PT0.01S): the watermark is 1970-01-01T00:00:00Z, held by partition 0\n",
                        "window-1 (session PT0.01S): the watermark is 1970-01-01T00:00:00.001Z, held by partition 1\n",
                        """
                        window-1 (session PT0.01S): there is no watermark yet, held by partition 2
                          partition 2, holds it: no event yet, since 1970-01-01T00:00:00.007Z
                          no window is open
                        """);
    }

    @Test
    void anInputWithoutEventsIsExplainedToo() {
        Aggregated run = run("", "--window", "global", "--arrival", "at", "--explain");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err())
                .contains("there is no watermark yet, held by partition 0")
                .contains("no window is open");
    }

    private static String[] with(String[] options, String last) {
        String[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = last;
        return all;
    }
}
