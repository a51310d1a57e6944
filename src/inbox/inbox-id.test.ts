import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ListCursors } from './inbox-id.ts'
import { openInbox } from './open-inbox.ts'
import { openSeals } from './seals.ts'
import { readEnd } from './segment-ends.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inbox-id-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const head = { projectId: 1, keyId: 1, receivedAt: 0, clientAddress: '', userAgent: '' }

async function open(listCursors?: ListCursors): Promise<{ id: string; isIdRestored: boolean }> {
  const inbox = await openInbox(folder, () => undefined, listCursors)
  await inbox.close()
  return { id: inbox.id, isIdRestored: inbox.isIdRestored }
}

/** An inbox that has committed batch 7; gives its row in the control database. */
async function used() {
  const inbox = await openInbox(folder, () => undefined)
  await inbox.append({ head, body: Buffer.from('event') })
  const end = readEnd(inbox.end)
  await inbox.close()
  const committed = { batch: 7, segment: 1, position: end.segment === 1 ? end.position : 1 }
  const seals = await openSeals(folder, committed)
  await seals.close()
  return { inboxId: inbox.id, ...committed }
}

/** Every way in which the file can go wrong: gone, emptied, cut, each byte flipped. */
async function damages(): Promise<(Buffer | null)[]> {
  const whole = await readFile(join(folder, 'id'))
  const flipped = [...whole.keys()].map(at => {
    const copy = Buffer.from(whole)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  })
  const isHarmless = (bytes: Buffer): boolean => bytes.subarray(0, -1).equals(whole.subarray(0, -1))
  return [null, Buffer.alloc(0), whole.subarray(0, 6), ...flipped.filter(bytes => !isHarmless(bytes))]
}

async function damage(bytes: Buffer | null): Promise<void> {
  if (bytes === null) await rm(join(folder, 'id'))
  else await writeFile(join(folder, 'id'), bytes)
}

it('is restored from the control database, however its file was damaged', async () => {
  const row = await used()
  const stranger = { inboxId: 'ffffffffffff', batch: 900, segment: 1, position: 3 }
  const found: unknown[] = []
  const all = await damages()
  for (const bytes of all) {
    await damage(bytes)
    found.push(await open(async () => [stranger, row]))
  }
  expect(found).toEqual(all.map(() => ({ id: row.inboxId, isIdRestored: true })))
  expect(await open()).toEqual({ id: row.inboxId, isIdRestored: false })
})

it('is never replaced for a used inbox: Hydrant refuses to start and says what to do', async () => {
  const row = await used()
  const linked = { ...row, inboxId: 'ffffffffffff' }
  for (const bytes of await damages()) {
    await damage(bytes)
    await expect(open(async () => [])).rejects.toThrow(/id, the id of this inbox, is damaged or missing.*from a backup/)
    await expect(open(async () => null)).rejects.toThrow(/cannot be reached. Start again when it can/)
    await expect(open(async () => [row, linked])).rejects.toThrow(`${row.inboxId} or ffffffffffff`)
  }
})

it('of an older version without a checksum is used, unless the control database knows exactly one other inbox', async () => {
  const row = await used()
  await damage(Buffer.from(row.inboxId))
  expect(await open(async () => [])).toEqual({ id: row.inboxId, isIdRestored: false })
  await damage(Buffer.from('0123456789ab'))
  expect(await open(async () => [row])).toEqual({ id: row.inboxId, isIdRestored: true })
})

it('is created for a new folder and for one that never sealed anything', async () => {
  const { id } = await open()
  await damage(null)
  expect((await open(async () => [])).id).not.toBe(id)
})
