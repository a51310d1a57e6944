import type { Migration } from '../migration.ts'

/** What detectors have found, the incidents that came of it, and how far each node has digested. */
export const detectors: Migration = {
  name: '0049-detectors',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('detector')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('project_id', number, column => column.references('project.id').onDelete('cascade'))
      .addColumn('rule_id', number, column => column.references('alert_rule.id').onDelete('cascade'))
      .addColumn('key', 'text', column => column.notNull().unique())
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('state', 'text', column => column.notNull().defaultTo('unknown'))
      .addColumn('severity', 'text', column => column.notNull().defaultTo(''))
      .addColumn('since', number, column => column.notNull())
      .addColumn('judged_at', number, column => column.notNull())
      .addColumn('value', 'double precision')
      .addColumn('pending', 'text', column => column.notNull().defaultTo(''))
      .addColumn('streak', number, column => column.notNull().defaultTo(0)),
    schema.createIndex('detector_rule_idx').on('detector').column('rule_id'),
    schema
      .createTable('incident')
      .addColumn('id', number, identity)
      .addColumn('organization_id', number, column =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('project_id', number, column => column.references('project.id').onDelete('cascade'))
      .addColumn('detector_id', number, column => column.references('detector.id').onDelete('set null'))
      .addColumn('rule_id', number, column => column.references('alert_rule.id').onDelete('set null'))
      .addColumn('name', 'text', column => column.notNull())
      .addColumn('severity', 'text', column => column.notNull())
      .addColumn('opened_at', number, column => column.notNull())
      .addColumn('closed_at', number)
      .addColumn('peak', 'double precision')
      .addColumn('reason', 'text', column => column.notNull())
      .addColumn('metric', 'text', column => column.notNull()),
    schema.createIndex('incident_list_idx').on('incident').columns(['organization_id', 'opened_at']),
    schema.createIndex('incident_detector_idx').on('incident').columns(['detector_id', 'closed_at']),
    schema
      .createTable('incident_update')
      .addColumn('id', number, identity)
      .addColumn('incident_id', number, column => column.notNull().references('incident.id').onDelete('cascade'))
      .addColumn('at', number, column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('severity', 'text', column => column.notNull())
      .addColumn('value', 'double precision')
      .addColumn('reason', 'text', column => column.notNull()),
    schema.createIndex('incident_update_idx').on('incident_update').columns(['incident_id', 'at']),
    schema
      .createTable('node_clock')
      .addColumn('inbox_id', 'text', column => column.primaryKey().notNull())
      .addColumn('digested_until', number, column => column.notNull())
      .addColumn('reported_at', number, column => column.notNull())
      .addColumn('blind_until', number, column => column.notNull()),
  ],
}
