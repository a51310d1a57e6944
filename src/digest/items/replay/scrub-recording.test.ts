import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { compileRule } from '#scrubbing/rules/compile-rule.ts'
import { createTextHash } from '#scrubbing/rules/hash-text.ts'
import { makeRecord, testContext } from '../../../../test/make-record.ts'
import { listCaptures, listScenarios, readCapture } from '../../../../test/read-capture.ts'
import { openOwnScrubbing } from '../../own-rules/scrub-item.ts'
import { processRecord } from '../../process-record.ts'
import { scrubRecording } from './scrub-recording.ts'

const payload = (fields: object) => ({ type: 5, timestamp: 1, data: { tag: 'breadcrumb', payload: fields } })
/** A page with everything that the search for members has to get past. */
const snapshot = {
  type: 2,
  data: { node: { textContent: 'a "payload": [{ \\" } 😀 password=hunter2', childNodes: [[], {}, ['],[']] } },
}
const recording = [
  { type: 4, data: { href: 'https://shop.example/reset?token=tok-123456', width: 1 } },
  snapshot,
  payload({ category: 'console', message: 'login password=hunter2 of ada@shop.example' }),
  payload({
    op: 'resource.fetch',
    description: '/api?token=tok-123456',
    data: { request: { headers: { cookie: 's3ss10n' } } },
  }),
  payload({ category: 'ui.click', message: 'button > span', data: { nodeId: 3 } }),
]
const secrets = /hunter2 of|tok-123456|s3ss10n/

function read(bytes: Buffer): typeof recording {
  return JSON.parse((bytes[0] === 0x5b ? bytes : inflateSync(bytes)).toString())
}

describe.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['deflated', (text: string) => deflateSync(text)],
])('a %s recording', (_, encode) => {
  it('loses private values of its custom events, and stays valid', () => {
    const result = scrubRecording(encode(JSON.stringify(recording)), null)
    if (result.kind !== 'changed') throw new Error(result.kind)
    const events = read(result.bytes)
    expect(JSON.stringify(events)).not.toMatch(secrets)
    expect(events.map(({ type }) => type)).toEqual(recording.map(({ type }) => type))
    expect(events[0]?.data).toEqual({ href: 'https://shop.example/reset?token=[scrubbed]', width: 1 })
    expect(events[1]).toEqual(snapshot)
    expect(events[4]).toEqual(recording[4])
  })

  it('stays byte by byte when nothing is private', () => {
    expect(scrubRecording(encode(JSON.stringify([snapshot, recording[4]])), null)).toMatchObject({ kind: 'same' })
    expect(scrubRecording(encode('[]'), null)).toMatchObject({ kind: 'same' })
  })

  it.each(['', '[', '[{', '["', '[]]', '{}', '[1] x', '[{"payload" 5}]'])(
    'that is damaged like %s is not stored',
    text => {
      expect(scrubRecording(encode(text), null).kind).toBe('unreadable')
    },
  )
})

test('own rules apply to recordings', () => {
  const rule = compileRule({ path: '', pattern: '[\\w.]+@[\\w.]+', action: 'remove' })
  if (typeof rule === 'string') throw new Error(rule)
  const own = openOwnScrubbing({ rules: [rule], dropsAddresses: false, hash: createTextHash('key', 1) })
  const result = scrubRecording(Buffer.from(JSON.stringify([recording[2]])), own)
  expect(result.kind === 'changed' && read(result.bytes)[0]?.data).toMatchObject({
    payload: { category: 'console', message: 'login password=[scrubbed] of ' },
  })
})

test('a recording that grows beyond all bounds is refused, and so is noise', () => {
  expect(scrubRecording(deflateSync(Buffer.alloc(40 * 1024 * 1024, 0x20)), null)).toEqual({ kind: 'too_large' })
  expect(scrubRecording(Buffer.alloc(1_000, 0x78), null).kind).toBe('unreadable')
})

test('an unreadable recording leaves its segment, an outcome and no blob', () => {
  const { rows, blobs, outcomes, faults } = processRecord(
    makeRecord([{ type: 'replay_recording', payload: '{"segment_id":1}\nnonsense' }]),
    testContext,
  )
  expect(faults).toEqual([])
  expect(rows.replays).toMatchObject([{ segment_id: 1, recording_bytes: 0, recording_blob: '' }])
  expect(blobs).toEqual([])
  expect(outcomes).toMatchObject([{ category: 'replay', reason: 'invalid_payload' }])
})

test('recordings of real SDKs are read', () => {
  const results = listScenarios()
    .flatMap(listCaptures)
    .map(name => processRecord(readCapture(name), testContext))
  const segments = results
    .flatMap(({ rows }) => rows.replays ?? [])
    .filter(({ recording_bytes }) => recording_bytes > 0)
  expect(segments.length).toBeGreaterThan(0)
  expect(results.flatMap(({ outcomes }) => outcomes).filter(({ category }) => category === 'replay')).toEqual([])
})
