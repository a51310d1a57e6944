/** Only the listed files hold a store without a scope: every other query can read no more than its viewer may. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')
const files = globSync('{domain,web,api,app}/**/*.{ts,tsx}', { cwd: src })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => !/\.test\.tsx?$/.test(path))
const textOf = (path: string): string => readFileSync(join(src, path), 'utf8')

type Import = { from: string; name: string; source: string }
/** Every imported name, also of types. */
const imports: Import[] = files.flatMap(from =>
  [...textOf(from).matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/gm)].flatMap(
    ([, names = '', source = '']) =>
      names.split(',').flatMap(name => {
        const [bare = ''] = name
          .trim()
          .replace(/^type\s+/, '')
          .split(' as ')
        return bare === '' ? [] : [{ from, name: bare, source: source.replace(/^#/, '') }]
      }),
  ),
)
const importersOf = (names: Record<string, RegExp>): string[] =>
  [...new Set(imports.filter(({ name, source }) => names[name]?.test(source)).map(({ from }) => from))].sort()

/** Files of `domain` with a store as a whole, and why. */
const unscoped: Record<string, string> = {
  'domain/access/command-context.ts': 'commands run in a transaction, and select what they change through scopeControl',
  'domain/access/unscoped-stores.ts': 'the one way from a viewer to the whole stores',
  'domain/channels/channel-settings.ts': 'commands and jobs, of one channel that they have found',
  'domain/channels/delivery/attempt-message.ts': 'the job delivers for all organizations',
  'domain/channels/delivery/candidate-channels.ts': 'the job delivers for all organizations',
  'domain/channels/delivery/channel-health.ts': 'the job delivers for all organizations',
  'domain/channels/delivery/claim-messages.ts': 'the job delivers for all organizations',
  'domain/channels/delivery/own-messages.ts': 'the name of one organization, for its messages',
  'domain/channels/delivery/send-message.ts': 'commands and jobs, of one channel that they have found',
  'domain/channels/delivery/settle-message.ts': 'the job delivers for all organizations',
  'domain/channels/delivery/summaries.ts': 'the job delivers for all organizations',
  'domain/channels/delivery/stuck-channels.ts': 'the job checks the channels of all organizations',
  'domain/channels/delivery/trim-outbox.ts': 'maintenance of all organizations',
  'domain/channels/delivery/outbox-depth.ts': 'metrics of all organizations',
  'domain/channels/pages/begin-page.ts': 'the job delivers for all organizations',
  'domain/channels/pages/end-pages.ts': 'commands and jobs, in their transactions',
  'domain/channels/pages/retire-channel.ts': 'commands and jobs, in their transactions',
  'domain/channels/pages/stale-subjects.ts': 'the job closes the pages of all organizations',
  'domain/channels/mail/find-recipients.ts': 'the job delivers for all organizations',
  'domain/channels/mail/unsubscribe.ts': 'a signed link names what it may change',
  'domain/alerts/close-incidents.ts': 'commands and the job close incidents that they have found',
  'domain/alerts/flush-bursts.ts': 'the job sends what all organizations have collected',
  'domain/alerts/late-news.ts': 'the job holds late issues of all organizations back until they are current',
  'domain/alerts/watch-channels.ts': 'the job notifies each organization about its own channels',
  'domain/alerts/minute-clock.ts': 'jobs tell how far each node has digested',
  'domain/alerts/pauses.ts': 'jobs tell when no node accepted data, and judge by it',
  'domain/alerts/read-rules.ts': 'jobs evaluate the rules of all organizations',
  'domain/alerts/trim-alerts.ts': 'maintenance of all organizations',
  'domain/logs/tail/tail-position.ts': 'how far each inbox is committed, which says nothing of what is in it',
  'domain/replays/delete-replay.ts': 'a command: deletes the rows of a replay that it has found for its viewer',
  'domain/members/find-membership.ts': 'decides who becomes a viewer',
  'domain/projects/unscoped-projects.ts': 'decides what a viewer may see; live updates of all organizations',
  'domain/projects/live-access.ts': 'decides which open streams end, for all organizations',
  'domain/tokens/find-auth-token.ts': 'decides who becomes a viewer',
  'domain/issues/lifecycle/transition.ts': 'digest and jobs, in their transactions',
  'domain/issues/lifecycle/update-lifecycle.ts': 'digest, in its transaction',
  'domain/issues/change-log/append-changes.ts': 'commands, digest and jobs, in their transactions',
  'domain/issues/change-log/read-changes.ts': 'jobs read the log of all organizations',
  'domain/issues/impact/update-impact.ts': 'a job scores the issues of all organizations',
  'domain/issues/mirror/write-mirror.ts': 'the mirror is that of all organizations',
  'domain/issues/mirror/mirror-rows.ts': 'the mirror is that of all organizations',
}

test('of the domain, only the listed files hold a store without a scope', () => {
  const holders = importersOf({
    Control: /store\/control\//,
    Telemetry: /store\/telemetry\/telemetry/,
    Kysely: /^kysely$/,
    openControl: /./,
    openTelemetry: /./,
    getRuntime: /./,
  })
  expect(holders.filter(path => path.startsWith('domain/'))).toEqual(Object.keys(unscoped).sort())
})

test('only the listed files leave the scope of a viewer', () => {
  expect(importersOf({ unscopedStores: /./, keepStores: /./ })).toEqual([
    'domain/access/viewer.ts',
    // The maps of a project's files are found by the project, which is checked before.
    'domain/events/stacks/read-stacks.ts',
    // How far the mirror has got is the same for all viewers.
    'domain/issues/mirror/pending-states.ts',
    // How far each inbox is committed is the same too.
    'domain/logs/tail/tail-position.ts',
  ])
})

test('only the guards create a viewer', () => {
  const creators = globSync('**/*.{ts,tsx}', { cwd: src }).filter(path => /\bcreateViewer\(/.test(textOf(path)))
  // `compile` shows made-up data to nobody, so that the engine has run every query once.
  expect(creators.sort()).toEqual([
    'api/find-api-viewer.ts',
    'cli/compile.ts',
    'domain/access/viewer.ts',
    // Rules see the projects of their organization, whoever wrote them.
    'domain/alerts/organization-viewer.ts',
    'web/viewer.ts',
  ])
})

test('pages and the API call nothing that belongs into a transaction of digest or jobs', () => {
  const recorders = new Set(importersOf({ Transaction: /^kysely$/ }))
  expect(recorders.size).toBeGreaterThan(5)
  const callers = imports.filter(({ from, source }) => !from.startsWith('domain/') && recorders.has(source))
  expect(callers).toEqual([])
})

test('of the pages and the API, only the listed files hold a store without a scope', () => {
  const holders = files.filter(
    path =>
      !path.startsWith('domain/') &&
      /\b(?:control|telemetry)\b[^}]*\}\s*=\s*getRuntime\(\)|getRuntime\(\)\.(?:control|telemetry)/.test(textOf(path)),
  )
  expect(holders.sort()).toEqual(
    [
      // Guards, and the context of commands.
      'api/call-route.ts',
      'api/find-api-viewer.ts',
      'web/define-action.ts',
      'web/viewer.ts',
      'web/web-context.ts',
      'web/auth.ts',
      'app/(app)/[org]/issues/[issueId]/load-issue.ts',
      'app/(app)/[org]/replays/actions.ts',
      'app/(app)/[org]/settings/audit/export/route.ts',
      // Who still has access, for a stream that outlives its request.
      'app/(app)/[org]/logs/tail/route.ts',
      'web/while-allowed.ts',
      'web/run-web.ts',
      // Before anybody has signed in.
      'app/(entry)/invite/[token]/actions.ts',
      'app/(entry)/invite/[token]/page.tsx',
      'app/(entry)/login/page.tsx',
      'app/(entry)/setup/actions.ts',
      'app/(entry)/setup/page.tsx',
      'app/page.tsx',
      'web/subscription.ts',
      // For all organizations.
      'app/api/live/route.ts',
      'web/self-report/find-report-dsn.ts',
      'web/self-report/report-request-error.ts',
    ].sort(),
  )
})
