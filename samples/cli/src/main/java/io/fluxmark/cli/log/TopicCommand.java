package io.fluxmark.cli.log;

import io.fluxmark.cli.console.BrokenPipe;
import io.fluxmark.cli.console.Console;
import io.fluxmark.log.CorruptSegmentException;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogReader;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.OffsetOutOfRangeException;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Mono;
import reactor.util.Loggers;

/** What all commands on one topic share: its options, and what their failures mean. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true)
abstract class TopicCommand implements Callable<Integer> {

    static final int DAMAGED = 1;
    static final int BAD_DATA = 65;

    /** Held, because a logger that nobody holds forgets its level. */
    private static final Logger LOG = Logger.getLogger("io.fluxmark.log");

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private LogCommand log;

    @Option(names = "--dir", paramLabel = "DIR", required = true, description = "The directory of the log.")
    @SuppressWarnings("NullAway.Init") // required option
    private Path directory;

    @Option(names = "--topic", paramLabel = "T", required = true, description = "The topic.")
    @SuppressWarnings("NullAway.Init") // required option
    private String topic;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** Does it and answers the exit code. */
    abstract int run() throws IOException;

    @Override
    public final Integer call() throws IOException {
        Loggers.useJdkLoggers(); // standard output is for results alone
        LOG.setLevel(Level.WARNING);
        try {
            return run();
        } catch (BadInputException | OffsetOutOfRangeException e) {
            return failed(BAD_DATA, e);
        } catch (CorruptSegmentException e) {
            return failed(DAMAGED, e);
        } catch (IOException | UncheckedIOException e) {
            if (BrokenPipe.isCauseOf(e)) {
                return 0; // whoever read the results has seen enough
            }
            throw e;
        } finally {
            console().err().flush();
        }
    }

    final Console console() {
        return log.console();
    }

    final LogSpec base() {
        return log.base();
    }

    final Path directory() {
        return directory;
    }

    final String topicName() {
        return topic;
    }

    /** An option that can't be used. */
    final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** The topic as it is in its files. */
    final TopicReader openReader() {
        LogReader reader = LogReader.of(directory, base());
        List<String> known = get(reader.topics());
        if (!known.contains(topic)) {
            throw usage("there is no topic '" + topic + "' in " + directory + ", "
                    + (known.isEmpty() ? "nor any other" : "but " + String.join(", ", known))
                    + ": create it with ./fluxmark log create");
        }
        return get(reader.topic(topic));
    }

    /** The log, for writing. */
    final EventLog openLog(LogSpec with) {
        return get(EventLog.open(directory, with));
    }

    static <T> T get(Mono<T> mono) {
        T value = mono.block();
        if (value == null) {
            throw new IllegalStateException("nothing was answered");
        }
        return value;
    }

    /** A segment as the user would name it. */
    final Path file(int partition, String segment) {
        return directory.resolve(topic + "-" + partition).resolve(segment);
    }

    private int failed(int exit, RuntimeException e) {
        console().err().println("fluxmark: " + e.getMessage());
        return exit;
    }
}
