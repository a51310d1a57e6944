import { logFields } from './log-fields.ts'
import { replayFields } from './replay-fields.ts'
import { eventFields, type FieldTable, issueFields } from './search-fields.ts'
import { spanFields } from './span-fields.ts'

/** By name. A page in the browser has none of them until its search box is focused. */
export const fieldTables = {
  issues: issueFields,
  events: eventFields,
  spans: spanFields,
  logs: logFields,
  replays: replayFields,
} satisfies Record<string, FieldTable>
export type Language = keyof typeof fieldTables
