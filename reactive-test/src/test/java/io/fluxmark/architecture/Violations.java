package io.fluxmark.architecture;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Fuseable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** One class for each rule, every method of which breaks it. Never run. */
final class Violations {

    private Violations() {}

    static final class NoThreads {
        Thread thread() {
            return new Thread();
        }

        ExecutorService pool() {
            return Executors.newCachedThreadPool();
        }

        ExecutorService forks() {
            return new ForkJoinPool();
        }
    }

    static final class NoOwnSchedulers {
        Scheduler single() {
            return Schedulers.newSingle("own");
        }

        Scheduler elastic() {
            return Schedulers.newBoundedElastic(1, 1, "own");
        }

        Scheduler parallel() {
            return Schedulers.newParallel("own");
        }

        Scheduler wrapped(ExecutorService executor) {
            return Schedulers.fromExecutorService(executor);
        }
    }

    static final class NoWallClock {
        long millis() {
            return System.currentTimeMillis();
        }

        long nanos() {
            return System.nanoTime();
        }

        @SuppressWarnings("JavaTimeDefaultTimeZone") // the default zone is part of what is wrong
        LocalDate today() {
            return LocalDate.now();
        }

        Instant now() {
            return Instant.now();
        }

        Clock clock() {
            return Clock.systemUTC();
        }
    }

    static final class NoSleep {
        void thread() throws InterruptedException {
            Thread.sleep(1);
        }

        void unit() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    abstract static class NoFusion implements Fuseable {
        abstract Fuseable.QueueSubscription<Long> queue();
    }

    static final class ContextPasses implements CoreSubscriber<Long> {
        @Override
        public void onSubscribe(Subscription subscription) {}

        @Override
        public void onNext(Long value) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }

    /** Public, and mentions a class that is not. */
    public abstract static class ApiIsClosed {
        public abstract Violations violations();
    }
}
