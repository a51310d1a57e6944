import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, inject } from 'vitest'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, type ControlLocation, openControl } from '#store/control/open-control.ts'
import { isLong } from '../long.ts'
import { databasesOf } from './start-postgres.ts'
import { addAcme } from './workflow-world.ts'

export const silentLog = { info() {}, warn() {} }

export type EngineUnderTest = {
  dialect: 'sqlite' | 'postgres'
  /** Of the engines of this run: for what need not be repeated on the other. */
  isFirst: boolean
  /** Where nothing has been yet. */
  newPlace(): Promise<ControlLocation>
  /** Where all tables are. */
  newMigrated(): Promise<ControlLocation>
  /** Closed when the test ends. */
  open(place: ControlLocation): Control
  /** An open database with all tables. */
  newControl(): Promise<Control>
  /** Also with rows that are written once for all tests of a worker. `made` is what was returned then. */
  newFilled<Made>(name: string, fill: (control: Control) => Promise<Made>): Promise<{ control: Control; made: Made }>
  /** Also with the organization of `makeWorld`. */
  newAcme(): Promise<Control>
}

type Fill<Made> = (control: Control, place: ControlLocation) => Promise<Made>
type Template<Made> = { place: ControlLocation; made: Made }
/** Shared by all files of a worker. */
const templates = new Map<string, Promise<Template<unknown>>>()

type Suite = (engine: EngineUnderTest) => void

/** Runs one suite on SQLite and on a real PostgreSQL. */
export function onEachEngine(suite: Suite): void {
  onEngines(['sqlite', 'postgres'], suite)
}

/**
 * For rules that are decided in TypeScript, by statements that other suites run on both. `npm test` has PostgreSQL, which is stricter,
 * and the long run both.
 */
export function onPostgres(suite: Suite): void {
  onEngines(isLong ? ['sqlite', 'postgres'] : ['postgres'], suite)
}

function onEngines(dialects: readonly EngineUnderTest['dialect'][], suite: Suite): void {
  describe.each(dialects)('on %s', dialect => {
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
    const copyPlace = async (from: ControlLocation, dataDir = newFolder()) => {
      if (from.databaseUrl === undefined) cpSync(join(from.dataDir, 'control.db'), join(dataDir, 'control.db'))
      return { dataDir, databaseUrl: await createDatabase?.(from.databaseUrl) }
    }
    const open = (place: ControlLocation) => {
      const control = openControl(place)
      opened.push(control)
      return control
    }
    /** Closed again, so that it can be copied: filling it again for every test would take most of their time. */
    const fillOnce = <Made>(name: string, from: () => Promise<ControlLocation>, fill: Fill<Made>) => {
      const key = `${name} on ${dialect}`
      const make = async (): Promise<Template<Made>> => {
        const place = await from()
        const control = openControl(place)
        const made = await fill(control, place)
        await control.close()
        return { place, made }
      }
      const template = (templates.get(key) as Promise<Template<Made>> | undefined) ?? make()
      templates.set(key, template)
      return template
    }
    const newScratch = () => mkdtempSync(join(inject('scratch'), 'control-'))
    const tables = async () => {
      const from = async () => ({ dataDir: newScratch(), databaseUrl: await createDatabase?.() })
      const migrate: Fill<unknown> = (control, { dataDir }) => migrateControl(control, { dataDir, log: silentLog })
      return (await fillOnce('tables', from, migrate)).place
    }
    const newMigrated = async () => copyPlace(await tables())
    const newControl = async () => open(await newMigrated())
    const newFilled = async <Made>(name: string, fill: (control: Control) => Promise<Made>) => {
      const { place, made } = await fillOnce(name, async () => copyPlace(await tables(), newScratch()), fill)
      return { control: open(await copyPlace(place)), made }
    }
    const newAcme = async () => (await newFilled('acme', addAcme)).control
    suite({ dialect, isFirst: dialect === dialects[0], newPlace, newMigrated, open, newControl, newFilled, newAcme })
  })
}
