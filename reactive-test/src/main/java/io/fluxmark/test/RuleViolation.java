package io.fluxmark.test;

/** A rule that an output breaks, told in words: the rule first, then what was expected and what was got. */
final class RuleViolation extends AssertionError {

    private static final long serialVersionUID = 1;

    RuleViolation(String rule, String detail) {
        super(rule + "\n  " + detail);
    }
}
