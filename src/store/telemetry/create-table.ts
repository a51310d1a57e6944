/** The DDL of a telemetry table, from its definition. */
import { renderStatements, type TableLayout } from './table-layout.ts'
import type { StateTable, WrittenTable } from './tables/define-table.ts'
import { allTables } from './tables.ts'

/** The statements that create every table as this version defines it, for one server or for a cluster. Each may be repeated. */
export const createTables = (layout: TableLayout): string[] =>
  Object.entries(allTables).flatMap(([name, table]) => renderStatements(createTable(name, table), layout))

function createTable(name: string, table: WrittenTable | StateTable): string {
  const settings = Object.entries(table.settings ?? {}).map(([setting, value]) => `, ${setting} = ${value}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${name} {onCluster} (`,
    [...columnLines(table), ...indexLines(table), ...projectionLines(table)].map(line => `  ${line}`).join(',\n'),
    `) ENGINE = {engine:${name}${table.replacedBy ? ` Replacing(${table.replacedBy})` : ''}}`,
    ...('day' in table ? [`PARTITION BY (toYYYYMMDD(${dayOf(table)}), retention_days)`] : []),
    `ORDER BY (${table.orderBy.join(', ')})`,
    `SETTINGS {settings}${settings.join('')}`,
  ].join('\n')
}

const columnLines = ({ columns }: WrittenTable | StateTable): string[] =>
  Object.entries(columns).map(([name, column]) => {
    const fallback = column.default === undefined ? '' : ` DEFAULT ${column.default}`
    return `${name} ${column.type}${fallback}${column.codec === undefined ? '' : ` CODEC(${column.codec})`}`
  })

const indexLines = ({ bloomFilters = {}, wordIndexes = {} }: WrittenTable | StateTable): string[] => [
  ...Object.entries(bloomFilters).map(
    ([name, column]) => `INDEX ${name} ${column} TYPE bloom_filter(0.01) GRANULARITY 1`,
  ),
  ...Object.entries(wordIndexes).map(([name, text]) => `INDEX ${name} ${text} TYPE ${wordIndex} GRANULARITY 1`),
]

/** 32 KB for the words of a granule: a lookup of one that it lacks reads it in vain once in a hundred times (0067). */
const wordIndex = 'tokenbf_v1(32768, 3, 0)'

const projectionLines = ({ projections = {} }: WrittenTable | StateTable): string[] =>
  Object.entries(projections).map(([name, query]) => `PROJECTION ${name} (${query})`)

const dayOf = ({ day }: WrittenTable): string => (day.isWeekly ? `toMonday(${day.column})` : day.column)
