import type { FieldTable } from './field-table.ts'
import { issueFields } from './search-fields.ts'
import { spanFields } from './span-fields.ts'

/** By name, so that a page can tell its search box in the browser which one it speaks. */
export const fieldTables = { issues: issueFields, spans: spanFields } satisfies Record<string, FieldTable>
export type Language = keyof typeof fieldTables
