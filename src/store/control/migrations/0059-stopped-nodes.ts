import type { Migration } from '../migration.ts'

/** When a node ended with everything digested: then nobody has to wait for it. */
export const stoppedNodes: Migration = {
  name: '0059-stopped-nodes',
  statements: (schema, { number }) => [schema.alterTable('node_clock').addColumn('stopped_at', number)],
}
