/** What an action of the audit log did, in words: `member.role` is "Changed role of member". */
const verbs: Record<string, string> = {
  acknowledge: 'Acknowledged',
  access: 'Changed access of',
  add: 'Added',
  add_member: 'Added a member to',
  address_verified: 'Verified the address of',
  archive: 'Archived',
  assign: 'Assigned',
  browser_untrust: 'Stopped trusting a browser of',
  change: 'Changed',
  choose: 'Set',
  close: 'Closed',
  comment: 'Commented on',
  create: 'Created',
  credentials_end: 'Ended all sign-ins of',
  delete: 'Deleted',
  delete_comment: 'Deleted a comment on',
  deleted: 'Deleted',
  default: 'Opens lists with',
  deploy: 'Deployed',
  disable: 'Disabled',
  discard: 'Discarded',
  earlier: 'Moved',
  edit_comment: 'Edited a comment on',
  enable: 'Enabled',
  erase: 'Erased a person from',
  export: 'Exported',
  invite: 'Invited',
  join: 'Joined as',
  leave: 'Left as',
  link: 'Linked a ticket to',
  login_link: 'Created a sign-in link for',
  merge: 'Merged',
  passkey_add: 'Added a passkey of',
  passkey_remove: 'Removed a passkey of',
  password_change: 'Changed the password of',
  password_reset: 'Reset the password of',
  plain: 'No longer opens lists with',
  prioritise: 'Changed priority of',
  purge: 'Purged',
  remove: 'Removed',
  remove_member: 'Removed a member from',
  recovery_codes: 'Renewed the recovery codes of',
  rename: 'Renamed',
  reopen: 'Reopened',
  replace: 'Updated',
  resend: 'Sent messages again through',
  resolve: 'Resolved',
  restore: 'Restored',
  restore_comment: 'Restored a comment on',
  revoke: 'Revoked',
  role: 'Changed role of',
  rotate_secret: 'Rotated the secret of',
  save: 'Saved',
  session_end: 'Ended sessions of',
  share: 'Shared',
  sign_in: 'Signed in as',
  sign_in_throttled: 'Refused too many sign-ins of',
  snooze: 'Snoozed',
  test: 'Tested',
  transfer: 'Transferred ownership of',
  two_factor_off: 'Removed the authenticator app of',
  two_factor_on: 'Added an authenticator app of',
  two_factor_optional: 'No longer requires a second factor in',
  two_factor_required: 'Requires a second factor in',
  two_factor_reset: 'Reset the second factor of',
  undo: 'Undid a change of',
  undo_merge: 'Undid a merge of',
  uninvite: 'Revoked the invitation of',
  unlink: 'Unlinked a ticket from',
  unmerge: 'Unmerged',
  update: 'Updated',
  upload: 'Uploaded',
  unshare: 'Stopped sharing',
}
const nouns: Record<string, string> = {
  artifact_bundle: 'source maps',
  audit: 'the audit log',
  auth_token: 'token',
  project_filter: 'filter',
  project_key: 'key',
  user_data: 'the data of a user',
}

export function describeAction(action: string): string {
  const [noun = '', verb = ''] = action.split(/\.(.*)/s)
  return `${verbs[verb] ?? verb.replaceAll('_', ' ')} ${nouns[noun] ?? noun.replaceAll('_', ' ')}`.trim()
}

type Values = Record<string, unknown>

type Change = { action: string; before: Values; after: Values; detail: Values }

/** A line for each value: `member → viewer` for a role, `teams: core → core web` for others; details where nothing was changed. */
export function describeChange({ action, before, after, detail }: Change): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const isNew = action.endsWith('.create')
  const changed = names.filter(name => text(before[name]) !== text(after[name]) && !(isNew && name === 'name'))
  if (changed.length === 0)
    return Object.entries(detail)
      .filter(([name]) => !hiddenDetails.has(name))
      .map(([name, value]) => `${name}: ${text(value)}`)
  const isChange = /\.(?:change|snooze)$/.test(action)
  return changed.map(name => {
    const step = [before[name], after[name]].filter(value => isChange || value !== undefined).map(text)
    const value = step.join(' → ')
    return changed.length === 1 && name === 'role' ? value : `${name}: ${value}`
  })
}

/** The name of the target stands in its own column, and ids of changes say nothing to a reader. */
const hiddenDetails = new Set(['slug', 'name', 'version', 'change', 'invitation'])

const text = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // Names of members are not kept here: they would outlive an erasure.
  if (typeof value === 'string' && value.startsWith('user:')) return 'a member'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The one who did it: by name, or what the actor is. */
export function describeActor({ actor, actorLabel }: { actor: string; actorLabel: string }): string {
  if (actorLabel !== '') return actorLabel
  const [kind = ''] = actor.split(':')
  const names: Record<string, string> = { cli: 'terminal', user: 'erased member', token: 'token', setup: 'setup' }
  return names[kind] ?? actor
}
