import type { Migration } from '../migration.ts'
import { baseline } from './0035-baseline.ts'
import { changeLog } from './0036-change-log.ts'
import { statusColumns } from './0037-status-columns.ts'
import { tickets } from './0038-tickets.ts'
import { projectLifecycle } from './0039-project-lifecycle.ts'
import { deletedPeriods } from './0041-deleted-periods.ts'
import { signIn } from './0042-sign-in.ts'
import { passkeys } from './0043-passkeys.ts'
import { members } from './0044-members.ts'
import { auditChain } from './0045-audit-chain.ts'
import { channels } from './0046-channels.ts'
import { secretsAndOptOuts } from './0047-secrets-and-opt-outs.ts'
import { alerts } from './0048-alerts.ts'
import { detectors } from './0049-detectors.ts'
import { scrubRules } from './0050-scrub-rules.ts'
import { userErasures } from './0051-user-erasures.ts'
import { savedViews } from './0056-saved-views.ts'
import { stoppedNodes } from './0059-stopped-nodes.ts'
import { issueKinds } from './0063-issue-kinds.ts'
import { spentCodes } from './0065-spent-codes.ts'
import { ruleKeys } from './0066-rule-keys.ts'
import { recommendedEvents } from './0068-recommended-events.ts'
import { shownFactors } from './0069-shown-factors.ts'
import { waitingMessages } from './0071-waiting-messages.ts'
import { pages } from './0073-pages.ts'
import { incidentHandling } from './0074-incident-handling.ts'
import { noData } from './0075-no-data.ts'
import { ingestPauses } from './0076-ingest-pauses.ts'
import { submissions } from './0079-submissions.ts'
import { newIssues } from './0080-new-issues.ts'
import { issueImpact } from './0084-issue-impact.ts'
import { compareAgain } from './0086-compare-again.ts'
import { knownRoutes } from './0087-known-routes.ts'
import { routeMoves } from './0088-route-moves.ts'
import { migrationsBeforeBaseline } from './before-0.2/list.ts'

export type ControlMigrations = {
  /** For databases that began before the baseline. Its tables are what these make. */
  before: readonly Migration[]
  /** A new database begins with it. */
  baseline: Migration
  /** Since then, in the order in which they are applied. A new one goes to the end. */
  numbered: readonly Migration[]
}

export const migrations: ControlMigrations = {
  before: migrationsBeforeBaseline,
  baseline,
  numbered: [
    changeLog,
    statusColumns,
    tickets,
    projectLifecycle,
    deletedPeriods,
    signIn,
    passkeys,
    members,
    auditChain,
    channels,
    secretsAndOptOuts,
    alerts,
    detectors,
    scrubRules,
    userErasures,
    savedViews,
    stoppedNodes,
    issueKinds,
    spentCodes,
    ruleKeys,
    recommendedEvents,
    shownFactors,
    waitingMessages,
    pages,
    incidentHandling,
    noData,
    ingestPauses,
    submissions,
    newIssues,
    issueImpact,
    compareAgain,
    knownRoutes,
    routeMoves,
  ],
}
