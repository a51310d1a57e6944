import type { Migration } from '../../migration.ts'

/** What build tools send: releases, deploys, commits, and the files that make a minified stack readable. */
export const releases: Migration['statements'] = (schema, { number, identity }) => [
  schema
    .createTable('release')
    .addColumn('id', number, identity)
    .addColumn('organization_id', number, column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('version', 'text', column => column.notNull())
    .addColumn('created_at', number, column => column.notNull())
    .addColumn('started_at', number)
    .addColumn('released_at', number)
    .addColumn('url', 'text', column => column.notNull().defaultTo(''))
    .addColumn('ref', 'text', column => column.notNull().defaultTo(''))
    .addUniqueConstraint('release_version_unique', ['organization_id', 'version']),
  schema
    .createTable('release_project')
    .addColumn('release_id', number, column => column.notNull().references('release.id').onDelete('cascade'))
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('release_project_pk', ['release_id', 'project_id']),
  schema.createIndex('release_project_project_idx').on('release_project').column('project_id'),
  schema
    .createTable('deploy')
    .addColumn('id', number, identity)
    .addColumn('release_id', number, column => column.notNull().references('release.id').onDelete('cascade'))
    .addColumn('environment', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('started_at', number)
    .addColumn('finished_at', number, column => column.notNull()),
  schema.createIndex('deploy_release_idx').on('deploy').columns(['release_id', 'finished_at']),
  schema
    .createTable('release_commit')
    .addColumn('release_id', number, column => column.notNull().references('release.id').onDelete('cascade'))
    .addColumn('position', number, column => column.notNull())
    .addColumn('commit_id', 'text', column => column.notNull())
    .addColumn('repository', 'text', column => column.notNull())
    .addColumn('author_name', 'text', column => column.notNull())
    .addColumn('author_email', 'text', column => column.notNull())
    .addColumn('message', 'text', column => column.notNull())
    .addColumn('committed_at', number, column => column.notNull())
    .addColumn('file_count', number, column => column.notNull())
    .addPrimaryKeyConstraint('release_commit_pk', ['release_id', 'position']),
  schema
    .createTable('release_commit_file')
    .addColumn('release_id', number, column => column.notNull().references('release.id').onDelete('cascade'))
    .addColumn('position', number, column => column.notNull())
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('release_commit_file_pk', ['release_id', 'position', 'path']),
  schema
    .createTable('artifact_bundle')
    .addColumn('id', number, identity)
    .addColumn('organization_id', number, column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('checksum', 'text', column => column.notNull())
    .addColumn('blob_key', 'text', column => column.notNull())
    .addColumn('size_bytes', number, column => column.notNull())
    .addColumn('file_count', number, column => column.notNull())
    .addColumn('uploaded_at', number, column => column.notNull())
    .addColumn('last_used_at', number)
    .addUniqueConstraint('artifact_bundle_checksum_unique', ['organization_id', 'checksum']),
  schema.createIndex('artifact_bundle_uploaded_idx').on('artifact_bundle').columns(['organization_id', 'uploaded_at']),
  schema
    .createTable('artifact_bundle_project')
    .addColumn('bundle_id', number, column => column.notNull().references('artifact_bundle.id').onDelete('cascade'))
    .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('artifact_bundle_project_pk', ['bundle_id', 'project_id']),
  schema.createIndex('artifact_bundle_project_idx').on('artifact_bundle_project').column('project_id'),
  schema
    .createTable('artifact_bundle_release')
    .addColumn('bundle_id', number, column => column.notNull().references('artifact_bundle.id').onDelete('cascade'))
    .addColumn('release', 'text', column => column.notNull())
    .addColumn('dist', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('artifact_bundle_release_pk', ['bundle_id', 'release', 'dist']),
  schema.createIndex('artifact_bundle_release_idx').on('artifact_bundle_release').columns(['release', 'dist']),
  schema
    .createTable('artifact_file')
    .addColumn('bundle_id', number, column => column.notNull().references('artifact_bundle.id').onDelete('cascade'))
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('debug_id', 'text', column => column.notNull())
    .addColumn('source_map_ref', 'text', column => column.notNull())
    .addColumn('size_bytes', number, column => column.notNull())
    .addPrimaryKeyConstraint('artifact_file_pk', ['bundle_id', 'path']),
  schema.createIndex('artifact_file_debug_idx').on('artifact_file').column('debug_id'),
  schema.createIndex('artifact_file_url_idx').on('artifact_file').columns(['bundle_id', 'url']),
  schema
    .createTable('upload_chunk')
    .addColumn('organization_id', number, column => column.notNull())
    .addColumn('sha1', 'text', column => column.notNull())
    .addColumn('size_bytes', number, column => column.notNull())
    .addColumn('blob_key', 'text', column => column.notNull())
    .addColumn('at', number, column => column.notNull())
    .addPrimaryKeyConstraint('upload_chunk_pk', ['organization_id', 'sha1']),
  schema.createIndex('upload_chunk_at_idx').on('upload_chunk').column('at'),
  schema
    .createTable('upload_attempt')
    .addColumn('id', number, identity)
    .addColumn('organization_id', number, column => column.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('checksum', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('step', 'text', column => column.notNull())
    .addColumn('detail', 'text', column => column.notNull())
    .addColumn('release', 'text', column => column.notNull())
    .addColumn('dist', 'text', column => column.notNull())
    .addColumn('projects', 'text', column => column.notNull())
    .addColumn('at', number, column => column.notNull())
    .addUniqueConstraint('upload_attempt_checksum_unique', ['organization_id', 'checksum']),
  schema.createIndex('upload_attempt_release_idx').on('upload_attempt').columns(['organization_id', 'release', 'at']),
]
