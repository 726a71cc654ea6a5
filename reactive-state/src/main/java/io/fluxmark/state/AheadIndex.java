package io.fluxmark.state;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The transactions whose rows stand in the tables and must not be seen: those under way, and those that were lost and are
 * not cleaned up yet. Immutable, so a view keeps the index of its own commit.
 */
final class AheadIndex {

    static final AheadIndex EMPTY = new AheadIndex(Set.of());

    private final Set<AheadId> hidden;

    private AheadIndex(Set<AheadId> hidden) {
        this.hidden = hidden;
    }

    /** The value that readers of a stored frame see, or null for none. */
    byte @Nullable [] open(StoreTable table, byte[] key, byte[] frame) {
        if (!AheadFrame.is(frame)) {
            return ValueFrame.open(table.mapName(), key, frame);
        }
        ValueFrame.check(table.mapName(), key, frame);
        if (hides(AheadFrame.id(frame))) {
            byte[] replaced = AheadFrame.replaced(frame);
            return replaced == null ? null : ValueFrame.open(table.mapName(), key, replaced);
        }
        return AheadFrame.isRemoval(frame) ? null : ValueFrame.open(table.mapName(), key, frame);
    }

    /** Whether readers do not see the rows written ahead of that transaction. */
    boolean hides(AheadId id) {
        return !hidden.isEmpty() && hidden.contains(id);
    }

    AheadIndex plus(AheadId id) {
        Set<AheadId> more = new HashSet<>(hidden);
        more.add(id);
        return new AheadIndex(more);
    }

    AheadIndex minus(AheadId id) {
        Set<AheadId> fewer = new HashSet<>(hidden);
        fewer.remove(id);
        return new AheadIndex(fewer);
    }
}
