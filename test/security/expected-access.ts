/**
 * The expected permissions, written by hand instead of read from the product's own tables, so that a permission can't be loosened without
 * a failing test.
 */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

const everybodyWhoWrites: readonly Role[] = ['member', 'admin', 'owner']
const owners: readonly Role[] = ['owner']
const admins: readonly Role[] = ['admin', 'owner']

/** The roles that may use each verb. */
export const rolesOf = {
  createIssue: everybodyWhoWrites,
  resolve: everybodyWhoWrites,
  archive: everybodyWhoWrites,
  reopen: everybodyWhoWrites,
  assign: everybodyWhoWrites,
  priority: everybodyWhoWrites,
  merge: everybodyWhoWrites,
  unmerge: everybodyWhoWrites,
  comment: everybodyWhoWrites,
  link: everybodyWhoWrites,
  undo: everybodyWhoWrites, // of a change that the role may make itself
  delete: admins,
  discard: admins,
  changeRule: everybodyWhoWrites,
  ownView: roles, // everybody has some
  shareView: everybodyWhoWrites,
  ownBell: roles, // everybody has one
  createProject: everybodyWhoWrites,
  changeProject: admins,
  deleteProject: admins,
  changeFilter: admins,
  createKey: admins,
  switchKey: admins,
  scrubProject: admins,
  scrubOrganization: owners,
  deleteUserData: admins,
  deleteReplay: admins,
  createTeam: admins,
  changeTeam: admins,
  deleteTeam: admins,
  createToken: admins,
  createOwnToken: roles,
  revokeToken: admins,
  revokeOwnToken: roles,
  changeAccess: admins,
  invite: admins,
  changeRole: admins,
  removeMember: admins,
  transfer: ['owner'],
  createChannel: admins,
  changeChannel: admins,
  deleteChannel: admins,
  testChannel: admins,
  resendMessages: admins,
  handleIncident: everybodyWhoWrites,
  requireTwoFactor: owners,
} as const satisfies Record<string, readonly Role[]>
export type Call = { verb: keyof typeof rolesOf; fields: Record<string, string> }

/** Public pages, with their status once the first user exists. The last two are Next's own. */
export const publicPages: Record<string, number> = {
  '/login': 200,
  '/login/ended': 307,
  '/api/submissions': 204,
  '/login/link/[token]': 200, // and says that the link no longer works
  '/login/mail': 404, // where mail is not configured
  '/login/proxy': 404, // without a trusted proxy
  '/login/second-factor': 307,
  '/login/sso/[provider]': 404, // and the callback too, of a provider that is not configured
  '/api/auth/callback/[provider]': 404,
  '/login/two-factor': 307, // without a right password before
  '/setup': 404,
  '/invite/[token]': 404,
  '/unsubscribe/[token]': 404,
  '/api/unsubscribe/[token]': 307,
  '/icon.svg': 200,
  '/api/[...path]': 404,
  '/_not-found': 404,
  '/_global-error': 500,
}
/** 200 for every role, 401 without a session, 404 for members of another organization. */
export const pages = [
  '/[org]/alerts',
  '/[org]/alerts/incidents',
  '/[org]/alerts/incidents/[incidentId]',
  '/[org]/alerts/rules/[ruleId]',
  '/[org]/alerts/rules/new',
  '/[org]/feedback',
  '/[org]/issues',
  '/[org]/issues/[issueId]',
  '/[org]/issues/[issueId]/confirm',
  '/[org]/issues/[issueId]/events',
  '/[org]/issues/[issueId]/events/[eventId]',
  '/[org]/issues/[issueId]/events/[eventId]/attachments/[attachment]',
  '/[org]/issues/[issueId]/events/[eventId]/json',
  '/[org]/logs',
  '/[org]/logs/export',
  '/[org]/logs/lines',
  '/[org]/logs/patterns',
  '/[org]/logs/tail',
  '/[org]/notifications',
  '/[org]/profiles',
  '/[org]/projects',
  '/[org]/projects/[slug]',
  '/[org]/projects/[slug]/filters',
  '/[org]/projects/[slug]/settings',
  '/[org]/releases',
  '/[org]/releases/[version]',
  '/[org]/replays',
  '/[org]/replays/[replayId]',
  '/[org]/replays/[replayId]/dom',
  '/[org]/replays/[replayId]/recording',
  '/[org]/replays/[replayId]/server/[traceId]/[spanId]',
  '/[org]/routes',
  '/[org]/routes/[...pattern]',
  '/[org]/settings',
  '/[org]/settings/members',
  '/[org]/settings/channels',
  '/[org]/settings/channels/[channelId]',
  '/[org]/settings/channels/new',
  '/[org]/settings/privacy',
  '/[org]/settings/tokens',
  '/[org]/traces',
  '/[org]/traces/[traceId]',
  '/[org]/traces/[traceId]/spans/[spanId]',
  '/[org]/traces/[traceId]/spans/[spanId]/profile',
  '/api/live',
  '/api/palette',
  '/api/search-values',
  '/api/unread',
]
/** 200 for admins and owners, 403 for other members, 401 without a session, 404 for members of another organization. */
export const adminPages = ['/[org]/settings/audit', '/[org]/settings/audit/export', '/[org]/settings/channels/export']
/** An issue that is no feedback is shown where it belongs. */
export const redirects = ['/', '/[org]', '/[org]/feedback/[issueId]', '/[org]/feedback/events/[eventId]']
/** Of the account, not of an organization: 200 for everyone with a session, 401 without. */
export const ownPages = ['/account']
/** 404 for every role, 401 without a session. */
export const missing = [
  '/[org]/[...path]',
  '/[org]/logs/[line]',
  '/[org]/logs/lines/[line]',
  '/[org]/issues/[issueId]/events/[eventId]/pictures/[attachment]',
  '/[org]/traces/[traceId]/spans/[spanId]/profile/[format]', // the span has none
  '/[org]/settings/privacy/erasures/[erasureId]',
]
/** Route handlers among the pages: they only support GET. */
export const handlers = [
  '/[org]/traces/[traceId]/spans/[spanId]/profile/[format]',
  '/[org]/issues/[issueId]/events/[eventId]/pictures/[attachment]',
  '/[org]/feedback/events/[eventId]',
  '/[org]/issues/[issueId]/events/[eventId]/attachments/[attachment]',
  '/[org]/issues/[issueId]/events/[eventId]/json',
  '/[org]/logs/export',
  '/[org]/logs/lines',
  '/[org]/logs/tail',
  '/[org]/logs/lines/[line]',
  '/[org]/replays/[replayId]/dom',
  '/[org]/replays/[replayId]/recording',
  '/[org]/replays/[replayId]/server/[traceId]/[spanId]',
  '/[org]/settings/privacy/erasures/[erasureId]',
  '/[org]/traces/[traceId]/spans/[spanId]',
  '/api/live',
  '/api/palette',
  '/api/search-values',
  '/api/unread',
]

/** Public actions: they check for themselves. */
export const publicActions = [
  'actions.ts#submitSignIn',
  'actions.ts#signOut',
  'actions.ts#chooseTheme',
  'actions.ts#chooseTimes',
  '(entry)/setup/actions.ts#submitSetup',
  '(entry)/invite/[token]/actions.ts#joinSignedIn',
  '(entry)/invite/[token]/actions.ts#joinAsNew',
  '(entry)/unsubscribe/[token]/actions.ts#submitSubscription',
  '(entry)/login/actions.ts#submitLink',
  '(entry)/login/actions.ts#requestLink',
  '(entry)/login/actions.ts#submitCode',
  'account/passkey-actions.ts#startPasskeySignIn',
  'account/passkey-actions.ts#submitPasskey',
]
/** Actions on the own account: 401 without a session. They take nobody else's account. */
export const ownActions = [
  'account/actions.ts#saveProfile',
  'account/actions.ts#changePassword',
  'account/actions.ts#endOneSession',
  'account/actions.ts#endTheOtherSessions',
  'account/actions.ts#endOneTrust',
  'account/passkey-actions.ts#startPasskey',
  'account/passkey-actions.ts#savePasskey',
  'account/passkey-actions.ts#deletePasskey',
  'account/two-factor-actions.ts#stepApp',
  'account/two-factor-actions.ts#changeApp',
  'account/two-factor-actions.ts#confirmCode',
]
/** No row has this id, so that a permitted call changes nothing. */
export const missingId = '999999'
const onIssue = (verb: Call['verb'], change: string): Call => ({
  verb,
  fields: { issue: missingId, change, into: `WEB-${missingId}` },
})
const issueChanges: Call[] = [
  onIssue('resolve', 'resolve:now'),
  onIssue('archive', 'archive:forever'),
  onIssue('reopen', 'reopen'),
  onIssue('assign', 'assign:'),
  onIssue('priority', 'priority:low'),
  onIssue('merge', 'merge'),
  onIssue('delete', 'delete'),
  onIssue('discard', 'discard'),
]
const onMember = (verb: Call['verb'], change: string): Call => ({ verb, fields: { member: missingId, change } })
const missingTeam = { team: missingId }
const missingChannel = { channel: missingId }
const ofProject = { project: '1' }
const ofIncident = { incident: missingId }
/** The verbs of each action, with fields that change nothing. */
export const actions: Record<string, Call[]> = {
  '(app)/[org]/alerts/incidents/actions.ts#changeIncident': [
    { verb: 'handleIncident', fields: { ...ofIncident, change: 'acknowledge' } },
    { verb: 'handleIncident', fields: { ...ofIncident, change: 'close' } },
  ],
  '(app)/[org]/alerts/incidents/actions.ts#submitIncidentComment': [
    { verb: 'handleIncident', fields: { ...ofIncident, text: 'seen' } },
  ],
  '(app)/[org]/issues/actions.ts#changeIssues': issueChanges,
  '(app)/[org]/issues/[issueId]/actions.ts#changeIssue': issueChanges,
  '(app)/[org]/issues/actions.ts#undoIssueChanges': [{ verb: 'undo', fields: { undo: 'no such change' } }],
  '(app)/[org]/issues/[issueId]/actions.ts#submitComment': [
    { verb: 'comment', fields: { issue: missingId, text: 'hello' } },
  ],
  '(app)/[org]/issues/[issueId]/actions.ts#saveComment': [
    { verb: 'comment', fields: { issue: missingId, comment: missingId, text: 'hello' } },
  ],
  '(app)/[org]/issues/[issueId]/actions.ts#removeComment': [
    { verb: 'comment', fields: { issue: missingId, comment: missingId } },
  ],
  '(app)/[org]/issues/[issueId]/actions.ts#undoRemoveComment': [
    { verb: 'comment', fields: { undo: 'no such change' } },
  ],
  '(app)/[org]/issues/[issueId]/actions.ts#submitTicket': [
    { verb: 'link', fields: { issue: missingId, url: 'https://tracker.example/1', title: '' } },
  ],
  '(app)/[org]/issues/[issueId]/actions.ts#removeTicket': [
    { verb: 'link', fields: { issue: missingId, ticket: missingId } },
  ],
  '(app)/[org]/issues/[issueId]/actions.ts#unmergeGroup': [
    { verb: 'unmerge', fields: { issue: missingId, group: '1:ab' } },
  ],
  '(app)/[org]/alerts/actions.ts#changeAlertRule': [
    { verb: 'changeRule', fields: { rule: missingId, change: 'delete' } },
    { verb: 'changeRule', fields: { rule: missingId, change: 'snooze' } },
  ],
  '(app)/[org]/alerts/actions.ts#submitRule': [{ verb: 'changeRule', fields: { name: '' } }],
  '(app)/[org]/views/actions.ts#changeSavedView': [
    { verb: 'ownView', fields: { change: 'delete', list: 'issues', view: missingId } },
    { verb: 'shareView', fields: { change: 'share', list: 'issues', view: missingId } },
    { verb: 'shareView', fields: { change: 'save', list: 'issues', name: '', shared: 'on' } },
  ],
  '(app)/[org]/notifications/actions.ts#markRead': [{ verb: 'ownBell', fields: { upTo: '0' } }],
  '(app)/[org]/notifications/actions.ts#chooseNotifications': [{ verb: 'ownBell', fields: { inApp: 'issue.new' } }],
  '(app)/[org]/projects/actions.ts#submitProject': [{ verb: 'createProject', fields: { name: '!!!' } }],
  '(app)/[org]/projects/actions.ts#saveProject': [
    { verb: 'changeProject', fields: { ...ofProject, name: 'Web', slug: '!!!' } },
  ],
  '(app)/[org]/projects/actions.ts#removeProject': [
    { verb: 'deleteProject', fields: { ...ofProject, confirmation: 'something else' } },
  ],
  '(app)/[org]/projects/actions.ts#saveAccess': [{ verb: 'changeAccess', fields: { ...ofProject, team: missingId } }],
  '(app)/[org]/projects/actions.ts#undeleteProject': [{ verb: 'deleteProject', fields: { project: missingId } }],
  '(app)/[org]/projects/[slug]/filters/actions.ts#saveFilter': [{ verb: 'changeFilter', fields: { to: 'nonsense' } }],
  '(app)/[org]/settings/actions.ts#submitKey': [{ verb: 'createKey', fields: { ...ofProject, label: 'x'.repeat(99) } }],
  '(app)/[org]/settings/actions.ts#switchKey': [
    { verb: 'switchKey', fields: { ...ofProject, key: missingId, to: 'off' } },
  ],
  '(app)/[org]/settings/actions.ts#submitTeam': [{ verb: 'createTeam', fields: { team: '!!!' } }],
  '(app)/[org]/settings/actions.ts#changeTeam': [
    { verb: 'deleteTeam', fields: { ...missingTeam, change: 'delete' } },
    { verb: 'changeTeam', fields: { ...missingTeam, change: 'add:nobody' } },
    { verb: 'changeTeam', fields: { ...missingTeam, change: 'remove:nobody' } },
  ],
  '(app)/[org]/settings/privacy/actions.ts#saveScrubRule': [
    { verb: 'scrubProject', fields: { ...ofProject, path: 'a', pattern: '(', action: 'replace' } },
    { verb: 'scrubOrganization', fields: { project: '', path: 'a', pattern: '(', action: 'replace' } },
  ],
  '(app)/[org]/settings/privacy/actions.ts#removeScrubRule': [
    { verb: 'scrubProject', fields: { ...ofProject, rule: missingId } },
    { verb: 'scrubOrganization', fields: { project: '', rule: missingId } },
  ],
  '(app)/[org]/settings/privacy/actions.ts#saveAddressStorage': [
    { verb: 'scrubProject', fields: { ...ofProject, to: 'store' } },
    { verb: 'scrubOrganization', fields: { project: '', to: 'store' } },
  ],
  '(app)/[org]/settings/privacy/actions.ts#eraseUserData': [
    { verb: 'deleteUserData', fields: { id: '', email: '', username: '', ip: '' } },
  ],
  '(app)/[org]/logs/patterns/actions.ts#makePatternIssue': [
    { verb: 'createIssue', fields: { patterns: '00000000000000ff' } },
  ],
  '(app)/[org]/replays/actions.ts#removeReplay': [{ verb: 'deleteReplay', fields: { replay: missingId } }],
  '(app)/[org]/settings/two-factor-actions.ts#requireSecondFactor': [
    { verb: 'requireTwoFactor', fields: { from: 'nonsense' } },
  ],
  '(app)/[org]/settings/channels/actions.ts#submitChannel': [
    { verb: 'createChannel', fields: { kind: 'nonsense', name: 'x', project: '' } },
  ],
  '(app)/[org]/settings/channels/actions.ts#saveChannel': [
    { verb: 'changeChannel', fields: { ...missingChannel, kind: 'slack', name: 'x', project: '' } },
  ],
  '(app)/[org]/settings/channels/actions.ts#sendTest': [{ verb: 'testChannel', fields: missingChannel }],
  '(app)/[org]/settings/channels/actions.ts#switchOrDelete': [
    { verb: 'changeChannel', fields: { ...missingChannel, change: 'off' } },
    { verb: 'changeChannel', fields: { ...missingChannel, change: 'rotate' } },
    { verb: 'deleteChannel', fields: { ...missingChannel, change: 'delete' } },
  ],
  '(app)/[org]/settings/channels/actions.ts#resend': [
    { verb: 'resendMessages', fields: { ...missingChannel, message: '' } },
  ],
  '(app)/[org]/settings/members/actions.ts#submitInvitation': [
    { verb: 'invite', fields: { email: 'not an address', role: 'viewer' } },
  ],
  '(app)/[org]/settings/members/actions.ts#withdrawInvitation': [{ verb: 'invite', fields: { invitation: missingId } }],
  '(app)/[org]/settings/members/actions.ts#changeMember': [
    onMember('changeRole', 'role:viewer'),
    onMember('removeMember', 'remove'),
    onMember('transfer', 'transfer'),
  ],
  '(app)/[org]/settings/tokens/actions.ts#submitToken': [
    // Every role may use the form, so that wrong input is an answer to all of them.
    { verb: 'createOwnToken', fields: { name: 'x', scope: 'nonsense' } },
    { verb: 'createToken', fields: { name: ' ', scope: 'org:ci', kind: 'organization' } },
    { verb: 'createOwnToken', fields: { name: ' ', scope: 'org:ci', kind: 'personal' } },
  ],
  '(app)/[org]/settings/tokens/actions.ts#revokeToken': [
    { verb: 'revokeToken', fields: { token: missingId } },
    { verb: 'revokeOwnToken', fields: { token: missingId, own: 'on' } },
  ],
}

/** Every token scope, with the scopes it includes. */
export const includedScopes: Record<string, readonly string[]> = {
  'org:ci': ['project:releases', 'project:read'],
  'project:releases': ['project:read'],
  'org:read': ['member:read', 'team:read'],
  'project:read': [],
  'event:read': ['project:read'],
  'event:write': ['event:read', 'project:read'],
  'member:read': [],
  'team:read': [],
}
const org = '/api/0/organizations/[org]'
const project = '/api/0/projects/[org]/[project]'
/** Next's only route below /api/0. The routes behind it are those of the table in `api/routes.ts`. */
export const apiRouter = '/api/0/[[...path]]'
/** The scope that each method of a route needs; `any` is every token of the organization. Other methods are 405. */
export const api: Record<string, Record<string, string>> = {
  '/api/0': { GET: 'any' },
  '/api/0/auth': { GET: 'any' },
  '/api/0/issues/[issue]': { GET: 'event:read', PUT: 'event:write' },
  '/api/0/organizations': { GET: 'any' },
  '/api/0/users/me/regions': { GET: 'any' },
  [org]: { GET: 'any' },
  [`${org}/alert-rules`]: { GET: 'project:read' },
  [`${org}/alert-rules/[rule]`]: { GET: 'project:read' },
  [`${org}/artifactbundle/assemble`]: { POST: 'project:releases' },
  [`${org}/channels`]: { GET: 'project:read' },
  [`${org}/chunk-upload`]: { GET: 'project:releases', POST: 'project:releases' },
  [`${org}/combined-rules`]: { GET: 'project:read' },
  [`${org}/detectors`]: { GET: 'project:read' },
  [`${org}/detectors/[detector]`]: { GET: 'project:read' },
  [`${org}/environments`]: { GET: 'project:read' },
  [`${org}/eventids/[event]`]: { GET: 'event:read' },
  [`${org}/events`]: { GET: 'event:read' },
  [`${org}/events-stats`]: { GET: 'event:read' },
  [`${org}/events/validate`]: { GET: 'event:read' },
  [`${org}/issues`]: { GET: 'event:read', PUT: 'event:write' },
  [`${org}/issues/[issue]`]: { GET: 'event:read', PUT: 'event:write' },
  [`${org}/issues/[issue]/activities`]: { GET: 'event:read' },
  [`${org}/issues/[issue]/events`]: { GET: 'event:read' },
  [`${org}/issues/[issue]/events/[event]`]: { GET: 'event:read' },
  [`${org}/issues/[issue]/external-issues`]: { GET: 'event:read' },
  [`${org}/issues/[issue]/notes`]: { GET: 'event:read', POST: 'event:write' },
  [`${org}/issues/[issue]/notes/[note]`]: { PUT: 'event:write', DELETE: 'event:write' },
  [`${org}/issues/[issue]/tags/[key]`]: { GET: 'event:read' },
  [`${org}/issues/[issue]/user-reports`]: { GET: 'event:read' },
  [`${org}/members`]: { GET: 'member:read' },
  [`${org}/projects`]: { GET: 'any' },
  [`${org}/releases`]: { GET: 'project:read', POST: 'project:releases' },
  [`${org}/releases/[version]`]: { GET: 'project:read', PUT: 'project:releases', DELETE: 'project:releases' },
  [`${org}/releases/[version]/commits`]: { GET: 'project:read' },
  [`${org}/releases/[version]/deploys`]: { GET: 'project:read', POST: 'project:releases' },
  [`${org}/releases/[version]/previous-with-commits`]: { GET: 'project:read' },
  [`${org}/replay-count`]: { GET: 'event:read' },
  [`${org}/replays`]: { GET: 'event:read' },
  [`${org}/replays/[replay]`]: { GET: 'event:read' },
  [`${org}/repos`]: { GET: 'project:read' },
  [`${org}/routes`]: { GET: 'event:read' },
  [`${org}/shortids/[shortId]`]: { GET: 'event:read' },
  [`${org}/tags`]: { GET: 'event:read' },
  [`${org}/teams`]: { GET: 'team:read' },
  [`${org}/trace-items/attributes`]: { GET: 'event:read' },
  [`${org}/trace-logs`]: { GET: 'event:read' },
  [`${org}/trace-meta/[trace]`]: { GET: 'event:read' },
  [`${org}/trace/[trace]`]: { GET: 'event:read' },
  [`${org}/workflows`]: { GET: 'project:read' },
  [project]: { GET: 'any' },
  [`${project}/environments`]: { GET: 'project:read' },
  [`${project}/events`]: { GET: 'event:read' },
  [`${project}/events/[event]`]: { GET: 'event:read' },
  [`${project}/events/[event]/attachments`]: { GET: 'event:read' },
  [`${project}/events/[event]/attachments/[attachment]`]: { GET: 'event:read' },
  [`${project}/issues`]: { GET: 'event:read', PUT: 'event:write' },
  [`${project}/keys`]: { GET: 'project:read' },
  [`${project}/releases`]: { GET: 'project:read', POST: 'project:releases' },
  [`${project}/releases/[version]`]: { GET: 'project:read', PUT: 'project:releases', DELETE: 'project:releases' },
  [`${project}/releases/[version]/commits`]: { GET: 'project:read' },
  [`${project}/replays/[replay]/recording-segments`]: { GET: 'event:read' },
  [`${project}/teams`]: { GET: 'project:read' },
  [`${project}/trace-items/[item]`]: { GET: 'event:read' },
}
/** A path that the table doesn't have: any token learns that. */
export const unknownApiPath: typeof api = {
  '/api/0/[...path]': { GET: 'any', POST: 'any', PUT: 'any', PATCH: 'any', DELETE: 'any' },
}
