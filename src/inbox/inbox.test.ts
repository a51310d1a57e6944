import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Inbox, openInbox } from './open-inbox.ts'
import { type LogSlice, readSlice } from './read-log.ts'
import { encodeRecord, type InboxRecord } from './record.ts'
import { batchIdOf, contentOf, endOfSeal, openSeals } from './seals.ts'
import { readEnd } from './segment-ends.ts'
import { beginSegment, freeSegment, hasSpare, listSegments, makeSpare, segmentPath } from './segments.ts'
import { listSpool, surveyLog } from './survey-log.ts'

const record = (text: string): InboxRecord => ({
  head: { projectId: 1, keyId: 1, receivedAt: 1_763_171_538_000, clientAddress: '127.0.0.1', userAgent: 'test' },
  body: Buffer.from(text),
})
const everything = { maxRecords: 1_000_000, maxBytes: 1 << 30, maxFiles: 100 }
const start = { segment: 1, position: 0 }
const textsOf = (slice: LogSlice): string[] => slice.records.map(one => one.record.body.toString())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inbox-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the inbox', () => {
  it('returns records in order, across restarts', async () => {
    const first = await openInbox(folder, () => undefined)
    await Promise.all(Array.from({ length: 500 }, (_, index) => first.append(record(`a${index}`))))
    await first.close()
    const second = await openInbox(folder, () => undefined)
    await second.append(record('b'))
    const texts: string[] = []
    let at = start
    for (;;) {
      const slice = await readSlice(folder, at, readEnd(second.end), { ...everything, maxRecords: 100 })
      if (slice.records.length === 0) break
      texts.push(...slice.records.map(one => one.record.body.toString()))
      at = slice.next
    }
    expect(texts).toEqual([...Array.from({ length: 500 }, (_, index) => `a${index}`), 'b'])
    expect(second.id).toBe(first.id)
    await second.close()
  })

  it('reads a record that is larger than one read', async () => {
    const inbox = await openInbox(folder, () => undefined)
    await inbox.append(record('x'.repeat(9 * 1024 * 1024)))
    await inbox.append(record('after'))
    const slice = await readSlice(folder, start, readEnd(inbox.end), everything)
    expect(slice.records.map(one => one.record.body.length)).toEqual([9 * 1024 * 1024, 5])
    await inbox.close()
  })

  it('ends a segment at a torn record and continues with the next one', async () => {
    const first = await openInbox(folder, () => undefined)
    await first.append(record('whole'))
    const { segment, position } = readEnd(first.end)
    const torn = Buffer.concat(encodeRecord(record('torn by a power cut'), { segment }))
    await afterKill(first, () => writeAt(segmentPath(folder, segment), torn.subarray(0, -4), position))
    const second = await openInbox(folder, () => undefined)
    await second.append(record('later'))
    const slice = await readSlice(folder, start, readEnd(second.end), everything)
    expect([textsOf(slice), slice.damaged]).toEqual([['whole', 'later'], []])
    await second.close()
  })

  it('reads many small segments at once, within the bound, and does not stop at empty ones', async () => {
    for (let run = 1; run <= 6; run++) {
      const inbox = await openInbox(folder, () => undefined)
      if (run !== 3 && run !== 4) await inbox.append(record(`run ${run}`))
      await inbox.close()
    }
    const last = await openInbox(folder, () => undefined)
    await last.append(record('now'))
    const end = readEnd(last.end)
    const all = await readSlice(folder, start, end, everything)
    expect(textsOf(all)).toEqual(['run 1', 'run 2', 'run 5', 'run 6', 'now'])
    expect(all.next).toEqual(end)
    const few = await readSlice(folder, start, end, { ...everything, maxFiles: 2 })
    expect(textsOf(few)).toEqual(['run 1', 'run 2'])
    const more = await readSlice(folder, few.next, end, { ...everything, maxFiles: 2 })
    expect(textsOf(more)).toEqual(['run 5'])
    expect(textsOf(await readSlice(folder, few.next, more.next, everything))).toEqual(['run 5'])
    expect(textsOf(await readSlice(folder, start, end, { ...everything, maxRecords: 3 }))).toEqual(
      textsOf(all).slice(0, 3),
    )
    await last.close()
  })

  it('never shows a reader a record that is not durable', async () => {
    const inbox = await openInbox(folder, () => undefined)
    const before = readEnd(inbox.end)
    const appended = inbox.append(record('pending'))
    expect((await readSlice(folder, start, before, everything)).records).toHaveLength(0)
    await appended
    expect((await readSlice(folder, start, readEnd(inbox.end), everything)).records).toHaveLength(1)
    await inbox.close()
  })

  it('never takes leftovers of an earlier use of a segment for a record', async () => {
    const first = await openInbox(folder, () => undefined)
    for (let round = 0; round < 40; round++) await first.append(record('old '.repeat(300_000)))
    await first.close()
    for (const segment of await listSegments(folder)) await freeSegment(folder, segment)
    expect(await hasSpare(folder)).toBe(true)
    const second = await openInbox(folder, () => undefined)
    await second.append(record('begins the short file'))
    await second.append(record('in the file that is used again'))
    await second.close()
    const third = await openInbox(folder, () => undefined)
    const texts: string[] = []
    for (let at = start; ; ) {
      const slice = await readSlice(folder, at, readEnd(third.end), everything)
      if (slice.records.length === 0) break
      texts.push(...slice.records.map(one => one.record.body.toString()))
      at = slice.next
    }
    expect(texts).toEqual(['begins the short file', 'in the file that is used again'])
    await third.close()
  })

  it('never replaces an existing segment, not even with the spare', async () => {
    const inbox = await openInbox(folder, () => undefined)
    await inbox.append(record('acknowledged'))
    const end = readEnd(inbox.end)
    await inbox.close()
    if (!(await hasSpare(folder))) await makeSpare(folder)
    await expect(beginSegment(folder, 1)).rejects.toThrow(/EEXIST/)
    expect(textsOf(await readSlice(folder, start, end, everything))).toEqual(['acknowledged'])
    expect(await hasSpare(folder)).toBe(true)
  })

  it('continues after damaged bytes, wherever they are, and reports their range', async () => {
    const inbox = await openInbox(folder, () => undefined)
    const texts = Array.from({ length: 20 }, (_, index) => `record ${index}`)
    await Promise.all(texts.map(text => inbox.append(record(text))))
    const end = readEnd(inbox.end)
    await inbox.close()
    const whole = await readFile(segmentPath(folder, 1))
    const places = (await readSlice(folder, start, end, everything)).records.map(one => one.at.position)
    const faults: string[] = []
    for (let at = 0; at < whole.length; at++) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ 0x10
      await writeFile(segmentPath(folder, 1), flipped)
      const lost = places.findLastIndex(start => start <= at)
      const expected = texts.filter((_, index) => index !== lost)
      const slice = await readSlice(folder, start, end, everything)
      const [range, ...more] = slice.damaged
      const isNamed = range?.from === places[lost] && range?.to === (places[lost + 1] ?? end.position)
      if (String(textsOf(slice)) !== String(expected) || !isNamed || more.length > 0) faults.push(`byte ${at}`)
    }
    expect(faults).toEqual([])
  })

  it('continues in a segment of an earlier process, and keeps spooled bodies that a damaged record may have named', async () => {
    const first = await openInbox(folder, () => undefined)
    const spool = await first.spool()
    await spool.write(Buffer.from('large'))
    const body = await spool.finish()
    await first.append({ ...record(''), head: { ...record('').head, spool: body } })
    await first.append(record('behind'))
    await first.close()
    const bytes = await readFile(segmentPath(folder, 1))
    bytes[bytes.indexOf('userAgent')] = 0
    await writeFile(segmentPath(folder, 1), bytes)
    const second = await openInbox(folder, () => undefined)
    const end = readEnd(second.end)
    expect(textsOf(await readSlice(folder, start, end, everything))).toEqual(['behind'])
    const survey = await surveyLog(folder, start, end, await listSpool(folder))
    expect(survey.records).toBe(1)
    expect(await readdir(join(folder, 'damaged', 'spool'))).toEqual([body.name])
    await second.close()
  })

  it('gives a spooled body its final name only when it is finished', async () => {
    const inbox = await openInbox(folder, () => undefined)
    const spool = await inbox.spool()
    await spool.write(Buffer.from('first '))
    await spool.write(Buffer.from('second'))
    expect(await readdir(join(folder, 'spool'))).toEqual([`${spool.name}.part`])
    expect(await spool.finish()).toEqual({ name: spool.name, sizeBytes: 12, crc32: crc32('first second') })
    expect(await readdir(join(folder, 'spool'))).toEqual([spool.name])
    await inbox.close()
  })
})

/** Leaves the folder as a killed process would: without what `close` writes, but with all that was acknowledged. */
async function afterKill(inbox: Inbox, meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  const isHinted = async () => {
    const { segment, position } = readEnd(inbox.end)
    const hint = await readFile(join(folder, 'end.hint'), 'latin1').catch(() => '')
    return position === 0 || hint.startsWith(`${segment} ${position} `)
  }
  await expect.poll(isHinted).toBe(true)
  const lines = await readFile(join(folder, 'ends.log'))
  await inbox.close()
  await writeFile(join(folder, 'ends.log'), lines)
  await meanwhile()
}

async function writeAt(path: string, bytes: Buffer, position: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(bytes, 0, bytes.length, position)
  await file.close()
}

describe('a segment that is neither the newest nor sealed', () => {
  const texts = ['one', 'two', 'three', 'four']
  const endings = {
    'was full': async () => {
      await makeSpare(folder)
      const inbox = await openInbox(folder, () => undefined)
      for (const text of texts) await inbox.append(record(text)) // the short first file is left when a long one is ready
      return inbox
    },
    'was closed by a process that stopped': async () => {
      const inbox = await openInbox(folder, () => undefined)
      await Promise.all(texts.map(text => inbox.append(record(text))))
      await inbox.close()
      return openInbox(folder, () => undefined)
    },
    'was left by a process that was killed': async () => {
      const inbox = await openInbox(folder, () => undefined)
      await Promise.all(texts.map(text => inbox.append(record(text))))
      await afterKill(inbox)
      return openInbox(folder, () => undefined)
    },
  }

  /** Flips a byte in each part of each record, cuts the file in and between records, and removes it. */
  function* damages(places: number[], bytes: Buffer): Generator<{ name: string; lost: string[]; left: Buffer | null }> {
    const inFile = texts.slice(0, places.length)
    for (const [index, start] of places.entries()) {
      for (const at of [0, 1, 3, 5, 9, 20, bytes.subarray(start).indexOf('}') + 1]) {
        const left = Buffer.from(bytes)
        left[start + at] = (left[start + at] ?? 0) ^ 0x41
        yield { name: `byte ${at} of record ${index}`, lost: inFile.slice(index, index + 1), left }
      }
      for (const at of [0, 7, 40])
        yield {
          name: `cut at ${at} of record ${index}`,
          lost: inFile.slice(index),
          left: bytes.subarray(0, start + at),
        }
    }
    yield { name: 'missing', lost: inFile, left: null }
  }

  for (const [how, make] of Object.entries(endings))
    it(`and ${how} loses nothing without a word`, async () => {
      const inbox = await make()
      await inbox.append(record('in the next file'))
      const end = readEnd(inbox.end)
      expect(end.segment).toBeGreaterThan(1)
      await inbox.close()
      const whole = await readSlice(folder, start, end, everything)
      expect([textsOf(whole), whole.damaged]).toEqual([[...texts, 'in the next file'], []])
      const places = whole.records.flatMap(({ at }) => (at.segment === 1 ? [at.position] : []))
      const path = segmentPath(folder, 1)
      const bytes = await readFile(path)
      const faults: string[] = []
      for (const { name, lost, left } of damages(places, bytes)) {
        if (left) await writeFile(path, left)
        else await rm(path)
        const slice = await readSlice(folder, start, end, everything)
        const expected = [...texts.filter(text => !lost.includes(text)), 'in the next file']
        if (String(textsOf(slice)) !== String(expected)) faults.push(`${name}: read ${textsOf(slice)}`)
        const from = places[texts.indexOf(lost[0] ?? '')]
        if (slice.damaged.length !== 1 || slice.damaged[0]?.from !== from)
          faults.push(`${name}: reported ${JSON.stringify(slice.damaged)}`)
      }
      expect(faults).toEqual([])
    })

  it('keeps its number when it is missing, because the cursor may point into it', async () => {
    const first = await openInbox(folder, () => undefined)
    await first.append(record('digested'))
    const cursor = readEnd(first.end)
    await afterKill(first, () => rm(segmentPath(folder, 1)))
    const second = await openInbox(folder, () => undefined)
    await second.append(record('must not be skipped'))
    const slice = await readSlice(folder, cursor, readEnd(second.end), everything)
    expect([textsOf(slice), slice.damaged]).toEqual([['must not be skipped'], []])
    await second.close()
  })

  it('never yields a record that a sender forged, not even in leftovers of an earlier use', async () => {
    const first = await openInbox(folder, () => undefined)
    await first.append(record('acknowledged'))
    const { segment, position } = readEnd(first.end)
    const forged = Buffer.concat(encodeRecord(record('forged'), { segment }))
    await afterKill(first, () => writeAt(segmentPath(folder, segment), forged, position))
    const second = await openInbox(folder, () => undefined)
    const slice = await readSlice(folder, start, readEnd(second.end), everything)
    expect([textsOf(slice), slice.damaged]).toEqual([['acknowledged'], []])
    await second.close()
  })

  it('can be read when an older version wrote it', async () => {
    const texts = ['first', 'second']
    const buffers = texts.flatMap(text => encodeRecord(record(text), { segment: 1 }))
    await writeFile(segmentPath(folder, 1), Buffer.concat([...buffers, Buffer.alloc(64)]))
    const inbox = await openInbox(folder, () => undefined)
    expect(textsOf(await readSlice(folder, start, readEnd(inbox.end), everything))).toEqual(texts)
    await inbox.close()
  })
})

describe('seals', () => {
  const upTo = (batch: number) => ({ batch, segment: 1, position: batch * 10 })

  it('are restored after a crash, without the committed ones', async () => {
    const seals = await openSeals(folder, upTo(0))
    await seals.write({ batch: 1, segment: 1, start: 0, endSegment: 1, end: 10 }, upTo(0))
    await seals.write({ batch: 2, segment: 1, start: 10, endSegment: 1, end: 30 }, upTo(0))
    await seals.close()
    const again = await openSeals(folder, upTo(1))
    expect(again.pending(1)).toEqual([{ batch: 2, segment: 1, start: 10, endSegment: 1, end: 30 }])
    await again.close()
  })

  it('of an older format can be read and keep their batch ids', async () => {
    const line = (text: string) => `${text} ${crc32(text).toString(16)}\n`
    await writeFile(join(folder, 'seals.log'), line('1 1 0 10') + line('2 1 10 30 4'))
    const seals = await openSeals(folder, upTo(0))
    expect(seals.pending(0).map(endOfSeal)).toEqual([
      { segment: 1, position: 10 },
      { segment: 4, position: 30 },
    ])
    expect(seals.pending(0).map(seal => batchIdOf('a', seal))).toEqual(['a:1', 'a:2'])
    await seals.close()
  })

  it('include the records in the batch id: the same number with other records is another batch', () => {
    const at = (position: number, text: string) => {
      const head = { projectId: 1, keyId: 1, receivedAt: 0, clientAddress: '', userAgent: '' }
      return { record: { head, body: Buffer.from(text) }, at: { segment: 1, position } }
    }
    const seal = { batch: 7, segment: 1, start: 0, endSegment: 1, end: 90, retentionDays: { errors: 90, rest: 30 } }
    const idOf = (text: string) => batchIdOf('a', { ...seal, content: contentOf([at(0, text)]) })
    expect(idOf('one')).toBe(idOf('one'))
    expect(idOf('one')).not.toBe(idOf('two'))
    expect(idOf('one')).toMatch(/^a:7:1-0-1-90-[0-9a-f]{16}$/)
  })

  it('keep the last commit of the control database across starts', async () => {
    const seals = await openSeals(folder, upTo(0))
    await seals.write({ batch: 1, segment: 1, start: 0, endSegment: 1, end: 10 }, upTo(0))
    await seals.settle(upTo(1))
    await seals.close()
    for (const start of [1, 2]) {
      const restored = await openSeals(folder, upTo(0))
      expect([start, restored.committed, restored.pending(restored.committed.batch)]).toEqual([start, upTo(1), []])
      await restored.close()
    }
  })

  it('of an older version imply that missing batches were committed', async () => {
    const line = (text: string) => `${text} ${crc32(text).toString(16)}\n`
    await writeFile(join(folder, 'seals.log'), line('5 3 40 80'))
    const seals = await openSeals(folder, upTo(2))
    expect(seals.committed).toEqual({ batch: 4, segment: 3, position: 40 })
    await seals.close()
  })

  it('ignore a torn line', async () => {
    const seals = await openSeals(folder, upTo(0))
    await seals.write({ batch: 1, segment: 1, start: 0, endSegment: 1, end: 10 }, upTo(0))
    await seals.close()
    await writeFile(join(folder, 'seals.log'), '2 1 10 9', { flag: 'a' })
    const again = await openSeals(folder, upTo(0))
    expect(again.pending(0).map(seal => seal.batch)).toEqual([1])
    await again.close()
  })

  it('allow a batch to be cut, which drops all later seals', async () => {
    const seals = await openSeals(folder, upTo(0))
    await seals.write({ batch: 1, segment: 1, start: 0, endSegment: 1, end: 100 }, upTo(0))
    await seals.write({ batch: 2, segment: 1, start: 100, endSegment: 1, end: 200 }, upTo(0))
    await seals.write({ batch: 1, segment: 1, start: 0, endSegment: 1, end: 50 }, upTo(0))
    await seals.close()
    const again = await openSeals(folder, upTo(0))
    expect(again.pending(0)).toEqual([{ batch: 1, segment: 1, start: 0, endSegment: 1, end: 50 }])
    await again.close()
  })
})
