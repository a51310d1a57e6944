/** What a form is told after it was sent. `fields` holds a sentence for each field that has to be mended. */
export type ActionState =
  | { kind: 'idle' }
  /** `undo` is what undoChange takes, where the change can be taken back; `secret` is shown now and never again. */
  | { kind: 'done'; message: string; undo?: string; secret?: string }
  | { kind: 'failed'; message: string; fields: Record<string, string>; values: Record<string, string> }

export const idle: ActionState = { kind: 'idle' }

/** Passwords are never sent back to the page. */
export function failed(message: string, form: FormData, fields: Record<string, string> = {}): ActionState {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string' && name !== 'password' && !name.startsWith('$ACTION')) values[name] = value
  }
  return { kind: 'failed', message, fields, values }
}

type Faults = { fields: Record<string, string>; values: Record<string, string> }

/** What a form draws into its fields: nothing at first, and after a failure the faults and what was typed. */
export function formFaults(state: ActionState): Faults {
  return state.kind === 'failed' ? state : { fields: {}, values: {} }
}

/** Codes that commands refuse with, in the words of a form: what happened, then what to do. */
const sentences: Record<string, string> = {
  slug_invalid: 'Use 1 to 50 small letters, digits and hyphens, with at least one letter.',
  slug_reserved: 'This name is part of an address of Hydrant itself. Choose another.',
  slug_taken: 'This name is in use. Choose another.',
  email_invalid: 'This is no mail address. Write it as name@example.com.',
  email_taken: 'Somebody with this mail address exists already.',
  password_too_short: 'Use at least 8 characters.',
  password_too_long: 'Use at most 128 characters.',
  project_not_found: 'This project is no longer there. Reload the page.',
  key_not_found: 'This key is no longer there. Reload the page.',
  name_missing: 'Give it a name, so that you know later what it is for.',
  organization_not_found: 'This organization is no longer there. Reload the page.',
  token_not_found: 'This token is no longer there. Reload the page.',
  issue_not_found: 'This issue is no longer there. Reload the page.',
  too_many_issues: 'These are more issues than can be changed at once. Narrow the search.',
  no_release: 'The project has named no release yet, so there is no next one. Resolve it now instead.',
  release_invalid: 'Name a release of at most 250 characters.',
  count_invalid: 'Use a whole number above 0.',
  date_passed: 'Choose a moment in the future.',
  assignee_not_found: 'This person or team is no longer here. Reload the page.',
  merge_not_found: 'There is no issue with this id. Write it as WEB-42.',
  hash_not_found: 'This group is no longer in the issue. Reload the page.',
  nothing_would_stay: 'It is all that the issue has: there is nothing to take it out of.',
  team_not_found: 'This team is no longer there. Reload the page.',
  comment_empty: 'Write a word first.',
  comment_too_long: 'Use at most 10,000 characters.',
  undo_not_found: 'This change can no longer be undone.',
  undo_expired: 'This change is too old to be undone.',
  nothing_selected: 'Select an issue first.',
  nothing_to_merge: 'Select two or more issues to merge.',
  nothing_to_undo: 'This change can no longer be undone.',
  merge_across_projects: 'Only issues of one project can be merged. Narrow the selection.',
  already_set_up: 'This server has been set up already. Sign in instead.',
}

/** Null for a code that no form expects: that is a fault of ours and is thrown, not shown. */
export function faultMessage(code: string): string | null {
  return sentences[code] ?? null
}
