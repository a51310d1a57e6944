import type { Migration } from '../migration.ts'

/** Who did it by name and from where, what it was before and after, and the chain of hashes. Older entries are outside of the chain. */
export const auditChain: Migration = {
  name: '0045-audit-chain',
  statements: (schema, { number }) => [
    ...['actor_label', 'target_label', 'address', 'agent', 'before', 'after', 'salt', 'digest', 'hash'].map(name =>
      schema.alterTable('audit').addColumn(name, 'text', column => column.notNull().defaultTo('')),
    ),
    schema.alterTable('audit').addColumn('position', number),
    schema.createIndex('audit_chain_idx').unique().on('audit').columns(['organization_id', 'position']),
    // 0 is the chain of what belongs to no organization, hence no reference.
    schema
      .createTable('audit_chain')
      .addColumn('organization_id', number, column => column.primaryKey().notNull())
      .addColumn('position', number, column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull()),
  ],
}
