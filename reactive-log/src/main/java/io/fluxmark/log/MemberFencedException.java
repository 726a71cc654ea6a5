package io.fluxmark.log;

import java.time.Duration;

/** The member did not give up its partitions in time: it is no member any more, and its commits are refused. It may join again. */
public final class MemberFencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MemberFencedException(String group, String member, Duration timeout) {
        super("member " + member + " of group " + group + " is fenced: it had not finished after " + timeout
                + " what was revoked from it; join again, or raise GroupSpec.revokeTimeout");
    }
}
