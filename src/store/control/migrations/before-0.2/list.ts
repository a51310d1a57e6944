import type { Migration } from '../../migration.ts'
import { accounts } from './0001-accounts.ts'
import { projects } from './0002-projects.ts'
import { issues } from './0003-issues.ts'
import { mergedHashes } from './0004-merged-hashes.ts'
import { workflow } from './0005-workflow.ts'
import { issueTotalsIndex } from './0006-issue-totals.ts'
import { releasesAndArtifacts } from './0007-releases-and-artifacts.ts'
import { teamsAndPlaces } from './0008-teams-and-places.ts'
import { filters } from './0009-filters.ts'
import { heldEvents } from './0010-held-events.ts'
import { unmappedHashes } from './0012-unmapped-hashes.ts'
import { hashDays } from './0017-hash-days.ts'
import { monitorCheckIn } from './0021-monitor-check-in.ts'
import { traceMemories } from './0022-trace-memories.ts'
import { hashEchoes } from './0023-hash-echoes.ts'
import { tokenNonces } from './0024-token-nonces.ts'
import { reconciliation } from './0026-reconciliation.ts'
import { linkedUsers } from './0028-linked-users.ts'
import { plainWords } from './0035-plain-words.ts'

/** What made the tables before there was a baseline, in the order they were applied: a database of 0.1.0 has all but the last. */
export const migrationsBeforeBaseline: readonly Migration[] = [
  accounts,
  projects,
  issues,
  mergedHashes,
  workflow,
  issueTotalsIndex,
  releasesAndArtifacts,
  teamsAndPlaces,
  unmappedHashes,
  hashDays,
  filters,
  heldEvents,
  monitorCheckIn,
  traceMemories,
  hashEchoes,
  reconciliation,
  linkedUsers,
  tokenNonces,
  plainWords,
]
