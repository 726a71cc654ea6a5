package io.fluxmark.benchmarks.state;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * How Flink runs.
 *
 * @param managedMegabytes off-heap memory that RocksDB has for its cache and its write buffers
 * @param more settings as KEY=VALUE, which override those made here
 */
record FlinkSettings(int managedMegabytes, List<String> more) {

    /** The configuration of one job. */
    Configuration configuration(Path directory, @Nullable Path checkpoint) {
        Configuration configuration = new Configuration();
        set(configuration, "state.backend.type", "rocksdb");
        set(configuration, "state.backend.rocksdb.localdir", directory.resolve("rocksdb"));
        set(configuration, "execution.checkpointing.interval", "1 s");
        set(configuration, "execution.checkpointing.mode", "EXACTLY_ONCE");
        set(configuration, "execution.checkpointing.incremental", "true");
        set(configuration, "execution.checkpointing.storage", "filesystem");
        set(configuration, "execution.checkpointing.dir", checkpoints(directory).toUri());
        set(configuration, "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        set(configuration, "restart-strategy.type", "none");
        set(configuration, "taskmanager.memory.managed.size", managedMegabytes + "m");
        set(configuration, "pipeline.object-reuse", "true");
        for (String setting : more) {
            int equals = setting.indexOf('=');
            set(configuration, setting.substring(0, equals), setting.substring(equals + 1));
        }
        if (checkpoint != null) {
            set(configuration, "execution.state-recovery.path", checkpoint.toUri());
        }
        return configuration;
    }

    /** Where the checkpoints of a run lie, by job. */
    static Path checkpoints(Path directory) {
        return directory.resolve("checkpoints");
    }

    private static void set(Configuration configuration, String key, Object value) {
        configuration.setString(key, value.toString());
    }

    @Override
    public String toString() {
        return managedMegabytes + " MiB of managed memory" + (more.isEmpty() ? "" : "; " + String.join(" ", more));
    }
}
