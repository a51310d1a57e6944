/** The kind of events that users write: their issues are in a list of their own, and in no count of errors (0071). */
export const feedbackKind = 'feedback'

/** For queries over the events of many issues, of `events` and of `event_index`. */
export const isNoFeedbackSql = `kind != '${feedbackKind}'`

/** The kind of the issue that counts the groups of a flood of new ones. No event has it. */
export const overflowKind = 'overflow'
