import { submissionField } from '#lib/submission.ts'

/** The state of a form after a submit. `fields` holds an error message per field. */
export type ActionState =
  | { kind: 'idle' }
  /** `undo` is the input of undoChange if the change can be undone, `issues` those that came back; `secret` is shown only once. */
  | {
      kind: 'done'
      message: string
      undo?: string
      /** Results before this one that can be undone. React may not render each result of quick submits, only the last. */
      earlier?: readonly Undoable[]
      issues?: readonly number[]
      secret?: string
    }
  | { kind: 'failed'; message: string; fields: Record<string, string>; values: Record<string, string> }

export type Undoable = { undo: string; message: string }

export const idle: ActionState = { kind: 'idle' }

const secretFields = new Set(['password', 'current', 'next-password', 'otp'])

/** Passwords, codes and secrets are never sent back to the page. */
export function failed(message: string, form: FormData, fields: Record<string, string> = {}): ActionState {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    if (
      typeof value === 'string' &&
      !secretFields.has(name) &&
      !name.startsWith('secret.') &&
      !name.startsWith('$ACTION') &&
      name !== submissionField
    )
      values[name] = value
  }
  return { kind: 'failed', message, fields, values }
}

type Faults = { fields: Record<string, string>; values: Record<string, string> }

/** Errors and values for the fields of a form: empty at first, the submitted values after a failure. */
export function formFaults(state: ActionState): Faults {
  return state.kind === 'failed' ? state : { fields: {}, values: {} }
}

/** Messages for the error codes of commands: what happened, then what to do. */
const messages: Record<string, string> = {
  slug_invalid: 'Use 1 to 50 lowercase letters, digits and hyphens, with at least one letter.',
  slug_reserved: 'This name is reserved. Choose another name.',
  slug_taken: 'This name is already in use. Choose another name.',
  email_invalid: 'Enter a valid email address.',
  email_taken: 'A user with this email already exists. Use another email.',
  password_too_short: 'Use at least 8 characters.',
  password_too_long: 'Use at most 128 characters.',
  password_common:
    'This password is among the first that others would try. Choose another, for example three or four unrelated words.',
  password_repeated:
    'This password repeats a few characters. Choose another, for example three or four unrelated words.',
  password_personal:
    'This password is made of your name or email. Choose another, for example three or four unrelated words.',
  password_wrong: 'Wrong password.',
  code_wrong: 'Wrong code. Codes change every 30 seconds; enter the present one.',
  too_many_guesses: 'Too many attempts. Try again in 10 min.',
  passkey_invalid: 'The passkey was not accepted. Try again.',
  passkey_known: 'This passkey is already registered.',
  passkey_not_found: 'This passkey no longer exists. Reload the page.',
  too_many_passkeys: 'An account has at most 20 passkeys. Remove one first.',
  factor_not_shown: 'Use the second factor you have first: reload the page.',
  change_unknown: 'Choose one of the changes on the page.',
  second_factor_first: 'Sign in with a second factor yourself first: add one to your account.',
  browser_not_found: 'This browser is no longer trusted. Reload the page.',
  session_not_found: 'This session has already ended. Reload the page.',
  project_not_found: 'This project no longer exists. Reload the page.',
  project_internal: 'This project receives Hydrant’s own errors and can’t be deleted.',
  confirmation_differs: 'Type the slug of the project to confirm.',
  grace_over: 'This project is too old to restore.',
  key_not_found: 'This key no longer exists. Reload the page.',
  name_missing: 'Enter a name.',
  view_not_found: 'This view no longer exists. Reload the page.',
  view_too_long: 'This search is too long to be saved. Shorten it.',
  too_many_views: 'This list has 50 views already. Delete one first.',
  organization_not_found: 'This organization no longer exists. Reload the page.',
  token_not_found: 'This token no longer exists. Reload the page.',
  replay_not_found: 'This replay no longer exists. Reload the page.',
  issue_not_found: 'This issue no longer exists. Reload the page.',
  too_many_issues: 'Too many issues to change at once. Narrow the search.',
  no_release: 'The project has no release yet, so there is no next release. Resolve it now instead.',
  release_not_found: 'The project has no release with this version. Reload the page.',
  release_invalid: 'Enter a release of at most 250 characters.',
  count_invalid: 'Enter a whole number above 0.',
  date_passed: 'Choose a date in the future.',
  assignee_not_found: 'This member or team no longer exists. Reload the page.',
  merge_not_found: 'Issue not found. Enter a short ID such as WEB-42.',
  hash_not_found: 'This group is no longer in the issue. Reload the page.',
  nothing_would_stay: 'This is the only group of the issue, so there is nothing to unmerge it from.',
  member_not_found: 'This member is no longer in the organization. Reload the page.',
  member_exists: 'This person is already a member.',
  last_owner: 'An organization needs an owner. Make another member owner first.',
  invitation_not_found: 'This invitation was already used, revoked or has expired. Reload the page.',
  invitation_invalid: 'This invitation was already used, revoked or has expired. Ask for a new one.',
  invitation_of_other:
    'This invitation is for another email address. Sign in with that one, or ask for a new invitation.',
  too_many_invitations: 'There are 500 open invitations. Revoke some first.',
  team_not_found: 'This team no longer exists. Reload the page.',
  incident_not_found: 'This incident no longer exists. Reload the page.',
  incident_closed: 'This incident is already closed. Reload the page.',
  comment_empty: 'Enter a comment.',
  comment_too_long: 'Use at most 10,000 characters.',
  comment_not_found: 'This comment no longer exists. Reload the page.',
  url_invalid: 'Enter a URL that starts with https:// or http://, of at most 2,000 characters.',
  title_too_long: 'Use at most 200 characters.',
  ticket_taken: 'This ticket is already linked.',
  ticket_not_found: 'This ticket is no longer linked. Reload the page.',
  too_many_tickets: 'An issue has at most 50 tickets. Unlink one first.',
  channel_not_found: 'This channel no longer exists. Reload the page.',
  channel_name_taken: 'Another channel has this name. Choose another name.',
  kind_unknown: 'Choose a kind of channel from the list.',
  message_not_found: 'These messages are no longer there. Reload the page.',
  path_invalid: 'Enter names with dots between them, such as user.email.',
  pattern_invalid: 'This is no RE2 pattern. Lookaround and back references are not supported.',
  pattern_too_large: 'This pattern is too large. Use a shorter one, or smaller repeat counts.',
  rule_empty: 'Enter a field, a pattern or both.',
  rule_not_found: 'This rule no longer exists. Reload the page.',
  too_many_rules: 'There are at most 30 rules for all projects, and 30 for each project. Remove one first.',
  user_missing: 'Enter an ID, email, username or IP address.',
  undo_not_found: 'This change can no longer be undone.',
  undo_expired: 'This change is too old to undo.',
  nothing_selected: 'Select at least one issue.',
  nothing_to_merge: 'Select at least two issues to merge.',
  nothing_to_undo: 'This change can no longer be undone.',
  merge_across_projects: 'Only issues of the same project can be merged. Change the selection.',
  rule_name_missing: 'Enter a name.',
  rule_name_taken: 'Another rule has this name. Choose another name.',
  rule_follows_mail_only:
    'Only email can follow what members want to hear of. Choose email channels, or send to the others with another rule.',
  rule_without_trigger: 'Choose at least one.',
  rule_has_one_kind: 'This rule is about one thing already. Reload the page.',
  rule_metric_invalid: 'This number can’t be computed. Check its query.',
  rule_filter_invalid: 'This is not a valid search. Try it in the list of issues first.',
  line_not_found: 'No line of this pattern is stored any more. Reload the page.',
  no_active_key: 'The project has no active DSN key, so nothing can be stored in it. Enable one in its settings.',
  issue_not_created: 'The issue was not accepted. Try again; `hydrant doctor` says what is wrong if it stays so.',
  already_set_up: 'This server is already set up. Sign in instead.',
}

/** Null for a code that forms don't expect. That is a bug, so callers throw. */
export function faultMessage(code: string): string | null {
  return messages[code] ?? null
}
