import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, inject } from 'vitest'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, type ControlLocation, openControl } from '#store/control/open-control.ts'
import { databasesOf } from './start-postgres.ts'

export const silentLog = { info() {}, warn() {} }

export type EngineUnderTest = {
  dialect: 'sqlite' | 'postgres'
  /** Where nothing has been yet. */
  newPlace(): Promise<ControlLocation>
  /** Where all tables are. */
  newMigrated(): Promise<ControlLocation>
  /** Closed when the test ends. */
  open(place: ControlLocation): Control
  /** An open database with all tables. */
  newControl(): Promise<Control>
}

/** Shared by all files of a worker. */
const templates = new Map<string, Promise<ControlLocation>>()

/** Runs one suite on SQLite and on a real PostgreSQL. */
export function onEachEngine(suite: (engine: EngineUnderTest) => void): void {
  describe.each(['sqlite', 'postgres'] as const)('on %s', dialect => {
    const createDatabase = dialect === 'postgres' ? databasesOf(inject('postgres')) : undefined
    const folders: string[] = []
    const opened: Control[] = []
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(control => control.close()))
    })
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
    const newFolder = () => {
      const folder = mkdtempSync(join(tmpdir(), 'hydrant-control-'))
      folders.push(folder)
      return folder
    }
    const newPlace = async () => ({ dataDir: newFolder(), databaseUrl: await createDatabase?.() })
    const copyPlace = async (from: ControlLocation) => {
      const dataDir = newFolder()
      if (from.databaseUrl === undefined) cpSync(join(from.dataDir, 'control.db'), join(dataDir, 'control.db'))
      return { dataDir, databaseUrl: await createDatabase?.(from.databaseUrl) }
    }
    const open = (place: ControlLocation) => {
      const control = openControl(place)
      opened.push(control)
      return control
    }
    const newMigrated = async () => {
      const template = templates.get(dialect) ?? makeTemplate()
      templates.set(dialect, template)
      return copyPlace(await template)
    }
    const newControl = async () => open(await newMigrated())
    const makeTemplate = async () =>
      migrated({ dataDir: mkdtempSync(join(inject('scratch'), 'control-')), databaseUrl: await createDatabase?.() })
    suite({ dialect, newPlace, newMigrated, open, newControl })
  })
}

/** Closed again, so that it can be copied: migrating anew for every test would be most of the time they take. */
async function migrated(place: ControlLocation): Promise<ControlLocation> {
  const control = openControl(place)
  await migrateControl(control, { dataDir: place.dataDir, log: silentLog })
  await control.close()
  return place
}
