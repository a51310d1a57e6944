import { link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSlice } from '#inbox/read-log.ts'
import { encodeRecord } from '#inbox/record.ts'
import { freeSegment, segmentBytes, segmentPath } from '#inbox/segments.ts'
import { makeRecord } from '../../test/make-record.ts'
import { createDigestedFiles } from './digested-files.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'digested-'))
})
afterEach(() => rm(folder, { recursive: true }))

const bound = { maxRecords: 100, maxBytes: 1e7, maxFiles: 9 }
const segment = 3

/** A segment with a record for each address, and where each one ends. */
async function writeSegment(...addresses: string[]): Promise<number[]> {
  const records = addresses.map(address =>
    Buffer.concat(
      encodeRecord(makeRecord([{ type: 'event', payload: { user: address } }]), { segment, use: undefined }),
    ),
  )
  await writeFile(segmentPath(folder, segment), Buffer.concat(records))
  return records.map((_, index) => Buffer.concat(records.slice(0, index + 1)).length)
}
const listKept = async (path = segmentPath(folder, segment)) =>
  [...(await readFile(path)).toString('latin1').matchAll(/(\w+)@shop/g)].map(match => match[1])

test('digested records are overwritten in the file in use, at most every ten minutes, and later ones stay', async () => {
  let now = 0
  const files = createDigestedFiles(folder, () => now)
  const [first = 0, second = 0, third = 0] = await writeSegment('ada@shop', 'bob@shop', 'eve@shop')
  await files.wipe({ batch: 1, segment, position: first })
  expect(await listKept()).toEqual(['bob', 'eve'])
  const { records, damaged } = await readSlice(
    folder,
    { segment, position: first },
    { segment, position: third },
    bound,
  )
  expect([records.length, damaged]).toEqual([2, []])
  await files.wipe({ batch: 2, segment, position: second })
  expect(await listKept()).toEqual(['bob', 'eve'])
  now += 11 * 60_000
  await files.wipe({ batch: 2, segment, position: second })
  expect(await listKept()).toEqual(['eve'])
})

test('the spare, which is a digested file, is overwritten', async () => {
  await writeFile(segmentPath(folder, segment), Buffer.alloc(segmentBytes, 'ada@shop '))
  await freeSegment(folder, segment)
  await createDigestedFiles(folder).wipe({ batch: 1, segment: segment + 1, position: 0 })
  const spare = await readFile(join(folder, 'spare.seg'))
  expect(spare.equals(Buffer.alloc(segmentBytes))).toBe(true)
})

test('a damaged file that is kept for the operator is not overwritten, and a missing one is skipped', async () => {
  const [end = 0] = await writeSegment('ada@shop')
  await link(segmentPath(folder, segment), join(folder, 'kept'))
  await createDigestedFiles(folder).wipe({ batch: 1, segment, position: end })
  expect(await listKept(join(folder, 'kept'))).toEqual(['ada'])
  await createDigestedFiles(folder).wipe({ batch: 1, segment: segment + 1, position: end })
})
