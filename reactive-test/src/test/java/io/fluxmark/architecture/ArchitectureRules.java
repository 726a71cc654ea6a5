package io.fluxmark.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import reactor.core.CoreSubscriber;
import reactor.core.Fuseable;
import reactor.core.scheduler.Schedulers;

/** The rules of the house, each of them a rule that a class can break. */
final class ArchitectureRules {

    private static final List<String> MODULES = List.of("windows", "log", "state", "sinks", "http", "test");

    /** What each module may know beside itself. */
    private static final Map<String, List<String>> ARROWS = Map.of(
            "windows", List.of(),
            "log", List.of(),
            "state", List.of("windows"),
            "sinks", List.of("windows", "log", "state"),
            "http", List.of("windows", "log", "state", "sinks"),
            "test", List.of("windows", "log", "state", "sinks", "http"));

    private static final DescribedPredicate<JavaClass> THREAD_OWNERS = describe(
            "the two thread owners",
            type -> type.getName().equals("io.fluxmark.log.LogWriterThread")
                    || type.getName().equals("io.fluxmark.state.StoreThread"));

    private ArchitectureRules() {}

    /** Arrows go log, windows to state to sinks to http, and nowhere else. */
    static List<ArchRule> arrows() {
        List<ArchRule> rules = new ArrayList<>();
        for (String module : MODULES) {
            String[] others = MODULES.stream()
                    .filter(other ->
                            !other.equals(module) && !ARROWS.get(module).contains(other))
                    .map(other -> "io.fluxmark." + other + "..")
                    .toArray(String[]::new);
            if (others.length > 0) {
                rules.add(noClasses()
                        .that()
                        .resideInAPackage("io.fluxmark." + module + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(others)
                        .because("reactive-" + module + " knows only " + ARROWS.get(module)));
            }
        }
        return rules;
    }

    /** No thread but the log's writer thread and the store's thread. */
    static final ArchRule NO_THREADS = noClasses()
            .that(DescribedPredicate.not(THREAD_OWNERS))
            .should()
            .callConstructorWhere(target(owner(assignableTo(Thread.class)
                    .or(assignableTo(Executor.class))
                    .or(assignableTo(java.util.Timer.class)))))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(Executors.class))))
            .because("library code runs on Reactor schedulers");

    /** No scheduler of our own: disposing of one interrupts whoever is writing a file. */
    static final ArchRule NO_OWN_SCHEDULERS = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(Schedulers.class)))
                    .and(target(nameMatching("new(Single|BoundedElastic|Parallel|Elastic)|fromExecutorService"))))
            .because("their dispose interrupts, and an interrupt closes files");

    /** No clock but the scheduler's. */
    static final ArchRule NO_WALL_CLOCK = noClasses()
            .should()
            .callMethodWhere(
                    target(owner(assignableTo(System.class))).and(target(nameMatching("currentTimeMillis|nanoTime"))))
            .orShould()
            .callMethodWhere(target(owner(assignableTo(Clock.class))).and(target(nameMatching("(system|tick).*"))))
            .orShould()
            .callMethodWhere(describe(
                    "now() of java.time",
                    (JavaMethodCall call) ->
                            call.getTargetOwner().getPackageName().equals("java.time")
                                    && call.getName().equals("now")))
            .because("time comes from a Scheduler, which a test can move");

    /** No sleeping. */
    static final ArchRule NO_SLEEP = noClasses()
            .should()
            .callMethodWhere(target(owner(assignableTo(Thread.class).or(assignableTo(TimeUnit.class))))
                    .and(target(nameMatching("sleep"))))
            .because("a thread that sleeps is a thread that is missing");

    /** No fusion: it is Reactor's own. */
    static final ArchRule NO_FUSION = noClasses()
            .should()
            .dependOnClassesThat(assignableTo(Fuseable.class)
                    .or(describe("nested in Fuseable", type -> type.getName().startsWith(Fuseable.class.getName()))))
            .because("fusion is an internal feature of Reactor");

    /** The context passes: every subscriber says where it comes from. */
    static final ArchRule CONTEXT_PASSES = classes()
            .that()
            .areAssignableTo(CoreSubscriber.class)
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .and()
            .areNotInterfaces()
            .should(new ArchCondition<>("override or inherit currentContext") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean passes = type.getAllMethods().stream()
                            .anyMatch(method -> method.getName().equals("currentContext")
                                    && !method.getOwner().isInterface());
                    events.add(new SimpleConditionEvent(type, passes, type.getName() + " has no currentContext"));
                }
            });

    /** What users see mentions only what users may see. */
    static final ArchRule API_IS_CLOSED = classes()
            .that()
            .arePublic()
            .and()
            .resideOutsideOfPackage("..internal..")
            .should(new ArchCondition<>("mention only public types outside internal packages") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    type.getCodeUnits().stream()
                            .filter(unit -> isVisible(unit))
                            .forEach(unit -> mentioned(unit).stream()
                                    .filter(ArchitectureRules::isHidden)
                                    .forEach(hidden -> events.add(SimpleConditionEvent.violated(
                                            unit, unit.getFullName() + " mentions " + hidden.getName()))));
                }
            });

    private static boolean isVisible(JavaCodeUnit unit) {
        return (unit.getModifiers().contains(JavaModifier.PUBLIC)
                        || unit.getModifiers().contains(JavaModifier.PROTECTED))
                && !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !unit.getModifiers().contains(JavaModifier.BRIDGE);
    }

    private static List<JavaClass> mentioned(JavaCodeUnit unit) {
        List<JavaClass> types = new ArrayList<>(unit.getReturnType().getAllInvolvedRawTypes());
        unit.getParameterTypes().forEach(type -> types.addAll(type.getAllInvolvedRawTypes()));
        return types;
    }

    private static boolean isHidden(JavaClass type) {
        return type.getPackageName().startsWith("io.fluxmark")
                && (!type.getModifiers().contains(JavaModifier.PUBLIC)
                        || type.getPackageName().contains(".internal"));
    }

    /** No package of another module is reached around its public door. */
    static final ArchRule INTERNAL_STAYS_INSIDE = noClasses()
            .that()
            .resideInAnyPackage("io.fluxmark.http..", "io.fluxmark.test..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fluxmark..internal..")
            .because("only operators share the base classes of operators");
}
