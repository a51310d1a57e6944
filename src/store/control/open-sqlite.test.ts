import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Control } from './control.ts'
import { migrateControl } from './migrate-control.ts'
import { openSqlite } from './open-sqlite.ts'

let folder: string
let opened: Control[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hydrant-wal-'))
  opened = []
})
afterEach(async () => {
  for (const control of opened) await control.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(): Control {
  const control = openSqlite(folder)
  opened.push(control)
  return control
}
const sizeOf = (name: string): number => statSync(join(folder, name)).size
const migrate = (control: Control) =>
  migrateControl(control, { dataDir: folder, log: { info: () => undefined, warn: () => undefined } })
const addSetting = (control: Control, name: string) =>
  control.db.insertInto('setting').values({ name, value: 'x' }).execute()

it('a checkpoint writes everything to control.db while others have it open, and can truncate the log', async () => {
  const [control, other] = [open(), open()]
  await migrate(control)
  await addSetting(other, 'one')
  const before = sizeOf('control.db')
  await control.checkpoint()
  expect(sizeOf('control.db')).toBeGreaterThan(before)
  await control.checkpoint('truncate')
  expect(sizeOf('control.db-wal')).toBe(0)
})

it('a checkpoint does not wait for readers or transactions of other connections', async () => {
  const [control, other] = [open(), open()]
  await migrate(control)
  await other.db.transaction().execute(async trx => {
    await trx.insertInto('setting').values({ name: 'two', value: 'x' }).execute()
    await control.checkpoint('truncate')
  })
  await Promise.all([
    control.db.transaction().execute(async trx => {
      await trx.insertInto('setting').values({ name: 'three', value: 'x' }).execute()
      await new Promise(resolve => setImmediate(resolve))
    }),
    control.checkpoint('truncate'),
  ])
  await addSetting(control, 'four') // with its busy timeout restored
  await control.checkpoint('truncate')
  expect(sizeOf('control.db-wal')).toBe(0)
  expect(await control.db.selectFrom('setting').select('name').where('value', '=', 'x').execute()).toHaveLength(3)
})
