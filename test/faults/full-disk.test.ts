import { spawnSync } from 'node:child_process'
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInbox } from '#inbox/open-inbox.ts'
import { readSlice } from '#inbox/read-log.ts'
import { readEnd } from '#inbox/segment-ends.ts'

let folder: string
let isMounted = false
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hydrant-full-'))
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).status === 0
})
afterAll(async () => {
  if (isMounted) spawnSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
})

const head = { projectId: 1, keyId: 1, receivedAt: 0, clientAddress: '', userAgent: '' }
const filler = Buffer.alloc(16 * 1024 * 1024)
const everything = { maxRecords: 1_000, maxBytes: 1e9, maxFiles: 100 }

test('a full disk collects no files, and refused records do not appear later', async context => {
  if (!isMounted) return context.skip('needs the right to mount a small disk')
  const inbox = await openInbox(folder, () => undefined)
  const append = (text: string) =>
    inbox.append({ head, body: Buffer.from(text.padEnd(64 * 1024)) }).then(
      () => true,
      () => false,
    )
  const accepted: string[] = []
  // The log prepares its next file in the background and gives that space back when there is too little: fill the disk each time.
  for (let round = 0, refused = 0; refused < 50; round++) {
    if (round > 0) await appendFile(join(folder, 'filler'), filler).catch(() => undefined)
    const isAccepted = await append(`record ${round}`)
    if (isAccepted) accepted.push(`record ${round}`)
    refused = isAccepted ? 0 : refused + 1
  }
  const files = (await readdir(folder)).filter(name => name.endsWith('.seg') || name.endsWith('.part'))
  expect(files.length).toBeLessThanOrEqual(accepted.length + 1)
  await rm(join(folder, 'filler'))
  expect(await append('after')).toBe(true)
  const { records, damaged } = await readSlice(folder, { segment: 1, position: 0 }, readEnd(inbox.end), everything)
  expect(records.map(one => one.record.body.toString().trim())).toEqual([...accepted, 'after'])
  expect(damaged).toEqual([])
  await inbox.close()
})
