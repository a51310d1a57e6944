import { insertColumns } from '#store/telemetry/encode-rows.ts'
import type { TableName } from '#store/telemetry/rows.ts'
import { templateTable } from './templates.ts'

/**
 * An INSERT that writes a copy of its template for each visit; `own` overrides columns with values of the visit.
 * Copying inside the engine is many times faster than sending rows, since nothing is encoded, sent or parsed.
 */
export function multiply(
  table: 'events' | 'spans' | 'logs',
  visits: string,
  key: string,
  own: Record<string, string>,
): string {
  const columns = insertColumns(table satisfies TableName)
  const values = columns.map(column => own[column] ?? `template.${column}`)
  return `
    INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${values.join(',\n      ')}
    FROM (SELECT *, ${key} AS template_key FROM (${visits})) AS visit
    INNER JOIN ${templateTable(table)} AS template ON template.batch_id = visit.template_key`
}

/** SQL that replaces the placeholders in a text by values of the visit. */
export const fill = (text: string, fillings: readonly (readonly [slot: string, value: string])[]): string =>
  fillings.reduce((inner, [slot, value]) => `replaceAll(${inner}, '${slot}', ${value})`, text)
