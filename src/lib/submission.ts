/** The protocol between pages and the server for form submissions. */

/** The form field with the submission id. A script adds it, so a form sent without JavaScript has no id. */
export const submissionField = 'submission'

/** Where a page asks whether a submission has arrived; a GET only says that pages can be reached. */
export const submissionsPath = '/api/submissions'

/**
 * Why an action was not even tried, for the script of the form. It is a value, because Next renders the whole page again for
 * `unauthorized()` and its like, and what was typed into it would be gone.
 */
export type TurnedAway = {
  kind: 'turned_away'
  why:
    | 'signed_out'
    | 'not_allowed'
    | 'not_found'
    /** The same submission is still being worked on. */
    | 'running'
    /** The process that worked on it was killed. */
    | 'unclear'
    /** It arrived after the server had reported to the page that it was missing. */
    | 'withdrawn'
}

export const turnedAway = (why: TurnedAway['why']): TurnedAway => ({ kind: 'turned_away', why })

export const isTurnedAway = (answer: unknown): answer is TurnedAway =>
  typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'turned_away'
