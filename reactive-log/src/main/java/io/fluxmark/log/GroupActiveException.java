package io.fluxmark.log;

import java.util.Collection;

/** The group has members: its offsets are theirs. */
public final class GroupActiveException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    GroupActiveException(String group, String wish, Collection<String> members) {
        super("group " + group + " cannot be " + wish + " while it has members " + members + "; have them leave first");
    }
}
