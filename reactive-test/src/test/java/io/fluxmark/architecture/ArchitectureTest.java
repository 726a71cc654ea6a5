package io.fluxmark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The library keeps the rules, and each rule finds the class that was written to break it. */
class ArchitectureTest {

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fluxmark");

    private static Map<String, ArchRule> rules() {
        Map<String, ArchRule> rules = new LinkedHashMap<>();
        rules.put("NoThreads", ArchitectureRules.NO_THREADS);
        rules.put("NoOwnSchedulers", ArchitectureRules.NO_OWN_SCHEDULERS);
        rules.put("NoWallClock", ArchitectureRules.NO_WALL_CLOCK);
        rules.put("NoSleep", ArchitectureRules.NO_SLEEP);
        rules.put("NoFusion", ArchitectureRules.NO_FUSION);
        rules.put("ContextPasses", ArchitectureRules.CONTEXT_PASSES);
        rules.put("ApiIsClosed", ArchitectureRules.API_IS_CLOSED);
        ArchitectureRules.arrows().forEach(rule -> rules.put(rule.getDescription(), rule));
        rules.put("InternalStaysInside", ArchitectureRules.INTERNAL_STAYS_INSIDE);
        return rules;
    }

    @Test
    void everyModuleIsLookedAt() {
        for (String module : new String[] {"windows", "log", "state", "sinks", "http", "test"}) {
            assertThat(LIBRARY.stream().filter(type -> type.getPackageName().equals("io.fluxmark." + module)))
                    .as("classes of " + module)
                    .hasSizeGreaterThan(5);
        }
    }

    @TestFactory
    Stream<DynamicTest> theLibraryKeepsTheRule() {
        return rules().entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.getKey(), () -> rule.getValue().check(LIBRARY)));
    }

    @TestFactory
    Stream<DynamicTest> theRuleFindsWhoBreaksIt() {
        return rules().entrySet().stream()
                .filter(rule -> Stream.of(Violations.class.getDeclaredClasses())
                        .anyMatch(type -> type.getSimpleName().equals(rule.getKey())))
                .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> {
                    Class<?> breaking = Stream.of(Violations.class.getDeclaredClasses())
                            .filter(type -> type.getSimpleName().equals(rule.getKey()))
                            .findFirst()
                            .orElseThrow();
                    JavaClasses fixture = new ClassFileImporter().importClasses(breaking);
                    int ways = rule.getKey().equals("ContextPasses") ? 1 : breaking.getDeclaredMethods().length;
                    assertThat(rule.getValue()
                                    .evaluate(fixture)
                                    .getFailureReport()
                                    .getDetails())
                            .hasSizeGreaterThanOrEqualTo(ways);
                }));
    }

    @Test
    void everyRuleButTheArrowsHasItsOwnBreaker() {
        assertThat(Violations.class.getDeclaredClasses()).hasSize(7);
    }

    @Test
    void theArrowsFindAWrongDependency() {
        JavaClasses wrong =
                new ClassFileImporter().importPackages("io.fluxmark.log.violating", "io.fluxmark.state.violating");
        long broken = ArchitectureRules.arrows().stream()
                .filter(rule -> rule.allowEmptyShould(true).evaluate(wrong).hasViolation())
                .count();
        assertThat(broken).isEqualTo(2);
    }
}
