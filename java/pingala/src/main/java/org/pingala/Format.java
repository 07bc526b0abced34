package org.pingala;

/** How a plan is explained. */
public enum Format {
    /** The plan as one line, which {@link Options#withPlan} accepts. */
    PLAN,
    /** Two sentences, then at most twelve candidates. */
    TEXT,
    /** Two sentences, then all candidates. */
    TEXT_ALL,
    /** JSON with all candidates; docs/command.md has the fields. */
    JSON
}
