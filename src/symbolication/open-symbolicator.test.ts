import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { type BundleFile, makeBundle } from '../../test/make-bundle.ts'
import { readBuiltCart } from '../../test/read-built-cart.ts'
import { limits } from './limits.ts'
import type { MapResult, Position } from './mapped-frame.ts'
import { openSymbolicator } from './open-symbolicator.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-maps-'))
const blobs = openBlobs({ dataDir })
afterAll(() => rmSync(dataDir, { recursive: true }))

let bundles = 0
async function put(bundle: Buffer): Promise<string> {
  const blobKey = `artifact-bundle/2026-11-15/1/${++bundles}`
  await blobs.put(blobKey, { kind: 'bytes', bytes: bundle })
  return blobKey
}

const minifiedPath = 'files/_/_/static/cart.js'
const mapPath = 'files/_/_/static/cart.js.map'
const file = (path: string, content: string | Buffer, type: BundleFile['type'] = 'source_map'): BundleFile => ({
  path,
  type,
  url: path.replace('files/_/_/', '~/'),
  content,
})

/** Resolves positions against a bundle with these files. */
async function resolve(files: BundleFile[], positions: Position[], named: { map?: string; minified?: string }) {
  const ref = {
    bundleId: 1,
    blobKey: await put(makeBundle(files)),
    mapPath: named.map ?? '',
    minifiedPath: named.minified ?? '',
  }
  const [results = []] = await openSymbolicator(blobs).resolve([{ ref, positions }])
  return results
}

const positionsOf = (bundler: 'vite' | 'webpack'): Position[] =>
  readBuiltCart(bundler).frames.map(frame => ({ line: frame.lineno ?? 0, column: frame.colno ?? 0 }))

const brief = (result: MapResult | undefined) =>
  result?.kind === 'mapped' ? `${result.functionName} ${result.file}:${result.line}` : result

describe.each(['vite', 'webpack'] as const)('a real error in a %s build', bundler => {
  test('is mapped to the original lines and functions', async () => {
    const { map, frames } = readBuiltCart(bundler)
    const answers = await resolve([file(mapPath, map)], positionsOf(bundler), { map: mapPath })
    expect(frames.length).toBeGreaterThan(2)
    expect(brief(answers.at(-1))).toBe('priceOf src/price.js:3')
    expect(brief(answers.at(-2))).toBe('total src/cart.js:12')
    expect(brief(answers[0])).toBe('checkout src/cart.js:20')
  })

  test('has five lines of context on each side', async () => {
    const { map } = readBuiltCart(bundler)
    const [first] = await resolve([file(mapPath, map)], positionsOf(bundler), { map: mapPath })
    const context = first?.kind === 'mapped' ? first.context : null
    expect(context?.line).toBe('  return cart.total()')
    expect(context?.before).toHaveLength(5)
    expect(context?.before.at(-1)).toBe('  const cart = new Cart(items)')
    expect(context?.after).toEqual(['}', '', 'globalThis.checkout = checkout', ''])
  })
})

describe('a map is found', () => {
  const { minified, map } = readBuiltCart('vite')
  const [, , , last = { line: 1, column: 1 }] = positionsOf('vite')

  test('by the comment in the minified file', async () => {
    const files = [file(minifiedPath, minified, 'minified_source'), file(mapPath, map)]
    const [answer] = await resolve(files, [last], { minified: minifiedPath })
    expect(brief(answer)).toBe('priceOf src/price.js:3')
  })

  test('inside the minified file', async () => {
    const inline = `data:application/json;base64,${Buffer.from(map).toString('base64')}`
    const withInline = minified.replace('cart.js.map', inline)
    const [answer] = await resolve([file(minifiedPath, withInline, 'minified_source')], [last], {
      minified: minifiedPath,
    })
    expect(brief(answer)).toBe('priceOf src/price.js:3')
  })

  test('in sections', async () => {
    const sectioned = {
      version: 3,
      sections: [
        { offset: { line: 0, column: 0 }, map: { version: 3, sources: [], names: [], mappings: '' } },
        { offset: { line: 10, column: 0 }, map: JSON.parse(map) },
      ],
    }
    const at = { line: last.line + 10, column: last.column }
    const [answer] = await resolve([file(mapPath, JSON.stringify(sectioned))], [at], { map: mapPath })
    expect(brief(answer)).toBe('priceOf src/price.js:3')
  })

  test('with sources uploaded separately', async () => {
    const { sourcesContent, ...bare } = JSON.parse(map)
    const source = file('files/_/_/src/price.js', sourcesContent[0], 'source')
    const [answer] = await resolve([file(mapPath, JSON.stringify(bare)), source], [last], { map: mapPath })
    expect(brief(answer)).toBe('priceOf src/price.js:3')
  })

  test('without sources, and still gives file and line', async () => {
    const { sourcesContent: _, ...bare } = JSON.parse(map)
    const [answer] = await resolve([file(mapPath, JSON.stringify(bare))], [last], { map: mapPath })
    expect(brief(answer)).toBe(' src/price.js:3')
    expect(answer?.kind === 'mapped' && answer.context).toBeNull()
  })
})

describe('a map that can’t be used gives a reason', () => {
  const { map, minified } = readBuiltCart('vite')
  const somewhere = [{ line: 1, column: 1 }]

  test.each<[string, BundleFile[], { map?: string; minified?: string }, string]>([
    ['a map that is not in the bundle', [file(minifiedPath, minified)], { map: mapPath }, 'map_missing'],
    ['a map that is not JSON', [file(mapPath, 'not a map')], { map: mapPath }, 'map_unreadable'],
    ['a map of something else', [file(mapPath, '{"version":2}')], { map: mapPath }, 'map_unreadable'],
    [
      'a file that names no map',
      [file(minifiedPath, 'let a', 'minified_source')],
      { minified: minifiedPath },
      'no_map_named',
    ],
    [
      'a map with more segments than fit',
      [file(mapPath, JSON.stringify({ ...JSON.parse(map), mappings: ','.repeat(10_000_000) }))],
      { map: mapPath },
      'too_many_segments',
    ],
    [
      'a map that unpacks to more than fits',
      [file(mapPath, Buffer.alloc(limits.mapBytes + 1, 32))],
      { map: mapPath },
      'map_too_large',
    ],
  ])('%s', async (_, files, named, code) => {
    expect(await resolve(files, somewhere, named)).toEqual([{ kind: 'refused', code }])
  })

  test('for a missing bundle and a truncated one', async () => {
    const { resolve } = openSymbolicator(blobs)
    const gone = { bundleId: 1, blobKey: 'artifact-bundle/2026-11-15/1/gone', mapPath, minifiedPath: '' }
    expect(await resolve([{ ref: gone, positions: somewhere }])).toEqual([[{ kind: 'refused', code: 'bundle_gone' }]])
    const whole = makeBundle([file(mapPath, map)])
    const torn = { ...gone, blobKey: await put(whole.subarray(0, whole.length - 40)) }
    expect(await resolve([{ ref: torn, positions: somewhere }])).toEqual([
      [{ kind: 'refused', code: 'bundle_unreadable' }],
    ])
  })

  test('for a corrupted map that still unpacks', async () => {
    const bundle = makeBundle([file(mapPath, map)])
    // The checksum in the directory is that of other bytes.
    const directory = bundle.indexOf('PK\x01\x02')
    bundle.writeUInt32LE((bundle.readUInt32LE(directory + 16) ^ 1) >>> 0, directory + 16)
    const ref = { bundleId: 1, blobKey: await put(bundle), mapPath, minifiedPath: '' }
    const [answers] = await openSymbolicator(blobs).resolve([{ ref, positions: somewhere }])
    expect(answers).toEqual([{ kind: 'refused', code: 'bundle_unreadable' }])
  })

  test('for a wrong size in the directory', async () => {
    const bundle = makeBundle([file(mapPath, Buffer.alloc(1_000_000, 32))])
    // The size in the directory says 1,000; what comes out is a thousand times that.
    const size = bundle.lastIndexOf(Buffer.from(new Uint32Array([1_000_000]).buffer))
    bundle.writeUInt32LE(1_000, size)
    const ref = { bundleId: 1, blobKey: await put(bundle), mapPath, minifiedPath: '' }
    const [answers] = await openSymbolicator(blobs).resolve([{ ref, positions: somewhere }])
    expect(answers).toEqual([{ kind: 'refused', code: 'bundle_unreadable' }])
  })

  test('for a line that the map does not contain', async () => {
    expect(await resolve([file(mapPath, map)], [{ line: 99, column: 1 }], { map: mapPath })).toEqual([
      { kind: 'no_position' },
    ])
  })
})

test('code of packages and bundlers is not in-app', async () => {
  const map = {
    version: 3,
    names: [],
    sources: [
      '../node_modules/react/index.js',
      'webpack:///webpack/runtime/chunk',
      'webpack://_N_E/./app/page.tsx?12ab',
      'vendored.js',
    ],
    ignoreList: [3],
    mappings: 'AAAA;ACAA;ACAA;ACAA',
  }
  const lines = [1, 2, 3, 4].map(line => ({ line, column: 1 }))
  const answers = await resolve([file(mapPath, JSON.stringify(map))], lines, { map: mapPath })
  expect(answers.map(answer => answer.kind === 'mapped' && [answer.file, answer.isInApp])).toEqual([
    ['node_modules/react/index.js', false],
    ['webpack/runtime/chunk', false],
    ['app/page.tsx', true],
    ['vendored.js', false],
  ])
})

test('a malformed map never throws', async () => {
  const broken = [
    { version: 3, sources: [null, 7], sourcesContent: [{}, 5], names: 4, mappings: 'AAAA,~~~~,AACA' },
    { version: 3, sources: 'a', names: [], mappings: 'AAAA' },
    { version: 3, sections: [{ map: { version: 3 } }, 5] },
    { version: 3, sources: ['a'], names: [], mappings: 'AggggggggggggggA' },
  ]
  for (const map of broken) {
    const [answer] = await resolve([file(mapPath, JSON.stringify(map))], [{ line: 1, column: 3 }], { map: mapPath })
    expect(['mapped', 'no_position', 'refused']).toContain(answer?.kind)
  }
})
