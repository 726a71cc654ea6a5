package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.LogStorage.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the simulated disk keeps, loses and refuses. */
class SimulatedDiskTest {

    private static final Path ROOT = Path.of("/disk");
    private static final Path FILE = ROOT.resolve("file");

    private final SimulatedDisk disk = SimulatedDisk.empty();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String content(SimulatedDisk of, Path path) throws IOException {
        LogFile file = of.openForRead(path);
        ByteBuffer read = ByteBuffer.allocate((int) file.size());
        file.read(read, 0);
        return new String(read.array(), StandardCharsets.UTF_8);
    }

    @Test
    void aKillKeepsWhatIsWrittenAndAPowerCutWhatIsForced() throws IOException {
        disk.createDirectory(ROOT);
        LogFile file = disk.openForWrite(FILE);
        file.write(bytes("forced"), 0);
        file.force();
        disk.forceDirectory(ROOT);
        disk.forceDirectory(ROOT.getParent());
        file.write(bytes(" and not"), 6);
        assertThat(content(disk.afterKill(), FILE)).isEqualTo("forced and not");
        Set<String> left = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            left.add(content(disk.afterPowerCut(seed), FILE));
        }
        assertThat(left).containsExactlyInAnyOrder("forced", "forced and not");
    }

    @Test
    void aPowerCutMayLoseANameThatWasNotForced() throws IOException {
        disk.createDirectory(ROOT);
        disk.forceDirectory(ROOT.getParent());
        LogFile file = disk.openForWrite(FILE);
        file.write(bytes("content"), 0);
        file.force();
        Set<Boolean> there = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            there.add(disk.afterPowerCut(seed).exists(FILE));
        }
        assertThat(there).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void aFullDiskWritesWhatFits() throws IOException {
        LogFile file = disk.openForWrite(FILE);
        disk.roomFor(4);
        assertThatThrownBy(() -> file.write(bytes("sixsix"), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
        assertThat(content(disk, FILE)).isEqualTo("sixs");
        disk.heal();
        file.write(bytes("sixsix"), 0);
        assertThat(content(disk, FILE)).isEqualTo("sixsix");
        assertThat(disk.injected()).isEqualTo(1);
    }

    @Test
    void faultsComeWhenToldAndAsOften() throws IOException {
        LogFile file = disk.openForWrite(FILE);
        disk.inject(DiskFault.SHORT_WRITE, 1, 1);
        file.write(bytes("one"), 0);
        assertThatThrownBy(() -> file.write(bytes("four"), 3)).isInstanceOf(IOException.class);
        file.write(bytes("five"), 5);
        assertThat(content(disk, FILE)).isEqualTo("onefofive");
        disk.inject(DiskFault.FORCE_FAILS, 0, 1);
        assertThatThrownBy(file::force).isInstanceOf(IOException.class);
        file.force();
        assertThat(content(disk.afterKill(), FILE)).isEqualTo("onefofive");
        disk.forceDirectory(ROOT);
        assertThat(content(disk.afterPowerCut(1), FILE))
                .as("what a failed force was to write is not written by a later one")
                .isEmpty();
    }

    @Test
    void aRecordingHasADiskForEachOfItsChanges() throws IOException {
        SimulatedDisk recording = disk.recording();
        LogFile file = recording.openForWrite(FILE);
        file.write(bytes("a"), 0);
        file.write(bytes("b"), 1);
        recording.rename(FILE, ROOT.resolve("other"));
        file.truncate(1);
        DiskReplay replay = recording.replay();
        assertThat(replay.size()).isEqualTo(5);
        replay.advanceTo(2);
        assertThat(content(replay.afterKill(), FILE)).isEqualTo("a");
        replay.advanceTo(5);
        assertThat(content(replay.afterKill(), ROOT.resolve("other"))).isEqualTo("a");
        assertThatThrownBy(disk::replay).hasMessageContaining("not recorded");
    }

    @Test
    void itsFilesCanBeLookedAt(@TempDir Path target) throws IOException {
        disk.openForWrite(FILE).write(bytes("content"), 0);
        disk.writeTo(ROOT, target);
        assertThat(Files.readString(target.resolve("file"))).isEqualTo("content");
    }
}
