/**
 * Test files that run one after the other in one process share a Hydrant, because starting one and warming it up takes as long as a
 * file's tests. Each begins without organizations and users: what was there before is renamed.
 */
import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import { readConfig } from '#config.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Hydrant, startHydrant } from './start-hydrant.ts'

let free: Hydrant | null = null

/**
 * For tests that don't need other settings. `stop` gives it back. One that no longer answers is not given to the next file.
 * `isFresh`: one that no file has had, for the setup page.
 */
export async function borrowHydrant({ isFresh = false } = {}): Promise<Hydrant> {
  const hydrant = isFresh || free === null ? await startHydrant() : free
  if (hydrant === free) free = null
  noteRunning(hydrant)
  return Object.assign(Object.create(hydrant) as Hydrant, { stop: () => giveBack(hydrant) })
}

async function giveBack(hydrant: Hydrant): Promise<void> {
  const isUp = (await fetch(`${hydrant.url}/readyz`).catch(() => null))?.status === 200
  if (!isUp || free !== null) return hydrant.stop()
  noteRunning(hydrant)
  await hydrant.drained()
  await putAside(hydrant)
  free = hydrant
}

/** A process of tests ends without a last word, so `end-borrowed` ends what it leaves behind. */
function noteRunning({ pid, dataDir }: Hydrant): void {
  appendFileSync(inject('borrowed'), `${pid} ${dataDir}\n`)
}

/** Takes the names that the next file wants, and ends what would go on by itself. */
async function putAside({ env }: Hydrant): Promise<void> {
  const read = readConfig(env)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const { db, close } = openControl(read.config)
  try {
    await db
      .updateTable('organization')
      .set(({ fn, val, ref }) => ({ slug: fn<string>('concat', [val('past-'), ref('id')]) }))
      .execute()
    // The next organization is the first one of its file, which gets the project for Hydrant's own errors.
    await db.updateTable('project').set({ is_internal: 0 }).execute()
    await db
      .updateTable('user')
      .set(({ fn, val, ref }) => ({ email: fn<string>('concat', [val('past-'), ref('id'), val('@example.com')]) }))
      .execute()
    await db.deleteFrom('alert_rule').execute()
    await db.deleteFrom('session').execute()
  } finally {
    await close()
  }
}
