import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, type ControlPlace, openControl } from '#store/control/open-control.ts'
import { type PostgresServer, startPostgres } from './start-postgres.ts'

export const silentLog = { info() {}, warn() {} }

export type EngineUnderTest = {
  dialect: 'sqlite' | 'postgres'
  /** Where nothing has been yet. */
  newPlace(): Promise<ControlPlace>
  /** Closed by the suite when it ends. */
  open(place: ControlPlace): Control
  /** An open database with all tables. */
  newControl(): Promise<Control>
}

/** Runs one suite on SQLite and on a real PostgreSQL. */
export function onEachEngine(suite: (engine: EngineUnderTest) => void): void {
  describe.each(['sqlite', 'postgres'] as const)('on %s', dialect => {
    let server: PostgresServer | undefined
    const folders: string[] = []
    const opened: Control[] = []
    beforeAll(async () => {
      if (dialect === 'postgres') server = await startPostgres()
    }, 60_000)
    afterAll(async () => {
      await Promise.all(opened.map(control => control.close()))
      await server?.stop()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
    const newPlace = async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-control-'))
      folders.push(dataDir)
      return { dataDir, databaseUrl: await server?.createDatabase() }
    }
    const open = (place: ControlPlace) => {
      const control = openControl(place)
      opened.push(control)
      return control
    }
    const newControl = async () => {
      const place = await newPlace()
      const control = open(place)
      await migrateControl(control, { dataDir: place.dataDir, log: silentLog })
      return control
    }
    suite({ dialect, newPlace, open, newControl })
  })
}
