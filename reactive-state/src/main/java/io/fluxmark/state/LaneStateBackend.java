package io.fluxmark.state;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PaneStore;
import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StateHeader;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operator state of one lane: on the heap while it changes, in the store at each barrier. Changed entries are copied
 * into the transaction of the passing barrier and stay on the heap at least until it is durable; then they may be
 * evicted and are read from the store again when they are needed.
 *
 * <p>Confined to the lane, as the session is. Reading may touch the disk on the lane's thread. Fails with the errors of
 * {@link LaneSession}, after which the lane has to open a new session and start from what that restores.
 */
public final class LaneStateBackend implements StateBackend {

    /** The smallest budget that is accepted, in bytes. */
    public static final long MIN_BUDGET = 1024;

    private final LaneSession session;
    private final OverlayBudget budget;
    private final Set<String> operators = new HashSet<>();

    private LaneStateBackend(LaneSession session, long budgetBytes) {
        this.session = session;
        budget = new OverlayBudget(session, budgetBytes);
    }

    /**
     * State of the lane that a session has opened.
     *
     * @param budgetBytes about how much heap the entries of all operators of the lane may take, at least
     *     {@link #MIN_BUDGET}. Entries changed since the last durable barrier are not bounded by it: see
     *     {@link #pressured()}
     */
    public static LaneStateBackend of(LaneSession session, long budgetBytes) {
        if (budgetBytes < MIN_BUDGET) {
            throw new IllegalArgumentException(
                    "budgetBytes must be at least " + MIN_BUDGET + " but was " + budgetBytes);
        }
        return new LaneStateBackend(Objects.requireNonNull(session, "session"), budgetBytes);
    }

    @Override
    public <K, A> PaneStore<K, A> panes(
            String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
        return panes(operator, StateHeader.EMPTY, keys, accumulators, emitted);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The ids of the codecs are compared with the header. Reads the operator's list of panes, and their entries while
     * half the budget lasts. Each operator name can be used once for each session.
     */
    @Override
    public <K, A> PaneStore<K, A> panes(
            String operator,
            StateHeader header,
            KeyCodec<K> keys,
            @Nullable Codec<A> accumulators,
            @Nullable Codec<?> emitted) {
        Objects.requireNonNull(keys, "keys");
        if (accumulators == null) {
            throw new IllegalArgumentException("Operator " + operator
                    + " has no codec for its accumulators and cannot be stored; give its aggregation one");
        }
        if (!operators.add(Objects.requireNonNull(operator, "operator"))) {
            throw new IllegalArgumentException(
                    "There are two operators named " + operator + " in one job; name one of them differently");
        }
        EntryFormat<K, A> format = new EntryFormat<>(keys, accumulators, emitted);
        StateHeader whole = header.with(StoredHeader.KEY_CODEC, keys.id())
                .with(StoredHeader.ACCUMULATOR_CODEC, accumulators.id())
                .with(StoredHeader.EMITTED_CODEC, emitted == null ? null : emitted.id());
        OverlayPaneStore<K, A> store = new OverlayPaneStore<>(operator, session, budget, format, whole);
        budget.register(store);
        return store;
    }

    @Override
    public long @Nullable [] longs(String operator, String name) {
        byte[] value = session.get(StoreTable.STATE, PaneKeys.longs(operator, name));
        return value == null ? null : OperatorLongs.decode(value);
    }

    /** Heap that entries take now, in bytes; an estimate. */
    public long heapBytes() {
        return budget.used();
    }

    /**
     * Whether the budget is exceeded and nothing can be evicted before the next barrier is durable: set one early. Too
     * much dirty state costs heap in proportion.
     */
    public boolean pressured() {
        return budget.exhausted();
    }
}
