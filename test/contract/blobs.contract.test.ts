import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Blobs, openBlobs } from '#store/blobs/open-blobs.ts'
import { type S3Server, startS3 } from './start-s3.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-blobs-'))
let s3: S3Server
const stores = new Map<string, Blobs>()

beforeAll(async () => {
  s3 = await startS3()
  stores.set('folder', openBlobs({ dataDir }))
  stores.set('s3', openBlobs({ dataDir, blobsUrl: s3.url }))
  stores.set('s3 with a prefix', openBlobs({ dataDir, blobsUrl: s3.url.replace('/bucket', '/bucket/hydrant/prod') }))
})
afterAll(async () => {
  await s3.stop()
  rmSync(dataDir, { recursive: true })
})

const at = (name: string, day = '2026-11-15', project = 7) => `attachment/${day}/${project}/${name}`

describe.each(['folder', 's3', 's3 with a prefix'])('blobs in a %s', kind => {
  const blobs = () => {
    const store = stores.get(kind)
    if (store === undefined) throw new Error(`no ${kind}`)
    return store
  }
  const text = async (key: string) => {
    const stream = await blobs().read(key)
    return stream === null ? null : (await buffer(stream)).toString()
  }

  test('bytes come back as they were put', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
    await blobs().put(at('all-bytes.bin'), { kind: 'bytes', bytes })
    const stream = await blobs().read(at('all-bytes.bin'))
    expect(stream && (await buffer(stream)).equals(bytes)).toBe(true)
    expect(await blobs().size(at('all-bytes.bin'))).toBe(70_000)
  })

  test('a range of a file is put without the rest', async () => {
    const path = join(dataDir, 'spooled')
    writeFileSync(path, 'head|the attachment|tail')
    await blobs().put(at('range'), { kind: 'file', path, start: 5, end: 19 })
    expect(await text(at('range'))).toBe('the attachment')
    await expect(blobs().put(at('short'), { kind: 'file', path, start: 5, end: 99 })).rejects.toThrow('is truncated')
    expect(await text(at('short'))).toBeNull()
  })

  test('a part is read without the rest', async () => {
    await blobs().put(at('parts'), { kind: 'bytes', bytes: Buffer.from('head|the middle|tail') })
    const stream = await blobs().read(at('parts'), { start: 5, end: 15 })
    expect(stream && (await buffer(stream)).toString()).toBe('the middle')
    expect(await blobs().read(at('no-parts'), { start: 5, end: 15 })).toBeNull()
  })

  test('a copy is there under both keys, and each is removed by itself', async () => {
    await blobs().put(at('first'), { kind: 'bytes', bytes: Buffer.from('the bytes') })
    for (let round = 0; round < 2; round++) await blobs().copy(at('first'), at('second', '2026-11-16', 8))
    expect(await text(at('second', '2026-11-16', 8))).toBe('the bytes')
    await blobs().remove(at('first'))
    expect([await text(at('first')), await text(at('second', '2026-11-16', 8))]).toEqual([null, 'the bytes'])
    // A repeat after the original is gone, and one that never was.
    await blobs().copy(at('first'), at('second', '2026-11-16', 8))
    await blobs().copy(at('never'), at('neither'))
    expect([await text(at('second', '2026-11-16', 8)), await text(at('neither'))]).toEqual(['the bytes', null])
  })

  test('a blob of no bytes is a blob', async () => {
    await blobs().put(at('empty'), { kind: 'bytes', bytes: new Uint8Array() })
    expect(await blobs().size(at('empty'))).toBe(0)
    expect(await text(at('empty'))).toBe('')
  })

  test('putting the same blob again is harmless', async () => {
    for (let round = 0; round < 2; round++)
      await blobs().put(at('twice'), { kind: 'bytes', bytes: Buffer.from('same') })
    expect(await text(at('twice'))).toBe('same')
  })

  test('what was never put is not there, and removing it is no fault', async () => {
    expect(await blobs().read(at('nothing'))).toBeNull()
    expect(await blobs().size(at('nothing'))).toBeNull()
    await blobs().remove(at('nothing'))
  })

  test('a removed blob is gone', async () => {
    await blobs().put(at('gone'), { kind: 'bytes', bytes: Buffer.from('x') })
    await blobs().remove(at('gone'))
    expect(await blobs().read(at('gone'))).toBeNull()
  })

  test('removing a day takes all projects of that kind and day and nothing else', async () => {
    const bytes = Buffer.from('x')
    const doomed = ['a', 'b', 'c'].flatMap(name => [at(name, '2026-01-02', 1), at(name, '2026-01-02', 2)])
    const kept = [at('a', '2026-01-03', 1), 'replay/2026-01-02/1/a']
    for (const key of [...doomed, ...kept]) await blobs().put(key, { kind: 'bytes', bytes })
    await blobs().removeDay('attachment', '2026-01-02')
    expect(await Promise.all(doomed.map(key => blobs().size(key)))).toEqual(doomed.map(() => null))
    expect(await Promise.all(kept.map(key => blobs().size(key)))).toEqual([1, 1])
    await blobs().removeDay('attachment', '2026-01-02')
  })

  test('removing the blobs of a project on a day leaves other projects, days and kinds', async () => {
    const bytes = Buffer.from('x')
    const doomed = [at('a', '2026-02-02', 1), at('b', '2026-02-02', 1)]
    const kept = [at('a', '2026-02-02', 12), at('a', '2026-02-03', 1), 'replay/2026-02-02/1/a']
    for (const key of [...doomed, ...kept]) await blobs().put(key, { kind: 'bytes', bytes })
    for (let round = 0; round < 2; round++) await blobs().removeOfProject('attachment', '2026-02-02', 1)
    expect(await Promise.all(doomed.map(key => blobs().size(key)))).toEqual([null, null])
    expect(await Promise.all(kept.map(key => blobs().size(key)))).toEqual([1, 1, 1])
    const wrong = async () => blobs().removeOfProject('attachment', '2026-02-02', -1)
    await expect(wrong()).rejects.toMatchObject({ code: 'blob_key_invalid' })
  })

  test('the days that retention may take are listed, oldest first', async () => {
    for (const day of ['2025-12-31', '2026-01-03', '2026-01-04'])
      for (const name of ['a', 'b', 'c'])
        await blobs().put(`profile/${day}/1/${name}`, { kind: 'bytes', bytes: Buffer.from('x') })
    expect(await blobs().listDays('profile', '2026-01-04')).toEqual(['2025-12-31', '2026-01-03'])
    expect(await blobs().listDays('dead-letters', '2026-01-04')).toEqual([])
  })

  test.each([
    '../../etc/passwd',
    '/attachment/2026-11-15/7/a',
    'attachment/2026-11-15/7/..',
    'attachment/2026-11-15/7/.a',
    'attachment/2026-11-15/7/a/b',
    'attachment/2026-11-15/01/a',
    'attachment/today/7/a',
    'Attachment/2026-11-15/7/a',
    'attachment/2026-11-15/7/a\0',
    'attachment/2026-11-15/7/a\\..\\b',
  ])('%j is not a key', async key => {
    const put = async () => blobs().put(key, { kind: 'bytes', bytes: Buffer.from('x') })
    await expect(put()).rejects.toMatchObject({ code: 'blob_key_invalid' })
    await expect((async () => blobs().removeDay('..', '2026-11-15'))()).rejects.toMatchObject({
      code: 'blob_key_invalid',
    })
  })
})

test('a folder blob is private, and nothing half-written stays beside it', async () => {
  const folder = join(dataDir, 'blobs', 'attachment', '2026-11-15', '7')
  expect(statSync(join(folder, 'range')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter(name => name.startsWith('.'))).toEqual([])
})

test('a store that asks to slow down is asked again', async () => {
  s3.stumble(2)
  const blobs = openBlobs({ dataDir, blobsUrl: s3.url })
  await blobs.put(at('slow'), { kind: 'bytes', bytes: Buffer.from('x') })
  expect(s3.objects.has(at('slow'))).toBe(true)
})

test('a wrong secret is told as what it is, without showing the secret', async () => {
  const blobs = openBlobs({ dataDir, blobsUrl: s3.url.replace('AKTEST:', 'AKTEST:not-') })
  const put = blobs.put(at('refused'), { kind: 'bytes', bytes: Buffer.from('x') })
  await expect(put).rejects.toThrow('403 (SignatureDoesNotMatch)')
  await expect(put).rejects.not.toThrow('secret')
})
