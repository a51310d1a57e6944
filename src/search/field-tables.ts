import { logFields } from './log-fields.ts'
import { replayFields } from './replay-fields.ts'
import { eventFields, type FieldTable, issueFields } from './search-fields.ts'
import { spanFields } from './span-fields.ts'

/** By name, for the server: a page in the browser has only the table of its own search. */
export const fieldTables = {
  issues: issueFields,
  events: eventFields,
  spans: spanFields,
  logs: logFields,
  replays: replayFields,
} satisfies Record<string, FieldTable>
export type Language = keyof typeof fieldTables
