import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

export type TelemetryMigration = { name: string; checksum: string; sql: string }

export type TelemetryMigrations = {
  /**
   * The migrations that created the tables before the baseline existed. Stores of 0.1.0 have applied all of them, or some if their
   * first start was killed.
   */
  before: readonly TelemetryMigration[]
  /** Stands for all of `before`. A new store begins with it. */
  baseline: TelemetryMigration
  /** Since then, in the order in which they are applied. */
  numbered: readonly TelemetryMigration[]
}

const folder = new URL('./migrations/', import.meta.url)

export async function listTelemetryMigrations(): Promise<TelemetryMigrations> {
  const before = await readFolder(new URL('before-0.2/', folder))
  const checksum = checksumOf(before.map(migration => migration.checksum).join())
  return { before, baseline: { name: '0030-baseline', checksum, sql: '' }, numbered: await readFolder(folder) }
}

async function readFolder(url: URL): Promise<TelemetryMigration[]> {
  const names = (await readdir(url)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, url), 'utf8')
      return { name: name.replace(/\.sql$/, ''), checksum: checksumOf(sql), sql }
    }),
  )
}

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
