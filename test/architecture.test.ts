/** Who may import whom, as data. A room that is not in the table may not exist. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '..', 'src')

const pure = ['lib', 'protocol']
const mayImport: Record<string, string[]> = {
  lib: [],
  protocol: ['lib'],
  engine: ['lib'],
  inbox: ['lib'],
  store: ['lib', 'protocol', 'engine'],
  lens: pure,
  group: [...pure, 'lens'],
  scrub: pure,
  search: ['lib'],
  helper: [],
  ingest: [...pure, 'inbox'],
  symbolicate: [...pure, 'store'],
  digest: [...pure, 'group', 'scrub', 'lens', 'symbolicate', 'inbox', 'store'],
  queries: [...pure, 'store', 'lens', 'group', 'search', 'symbolicate'],
  commands: [...pure, 'store'],
  ui: ['lib'],
  web: [...pure, 'search', 'symbolicate', 'queries', 'commands', 'store', 'runtime', 'config'],
  app: ['lib', 'search', 'web', 'ui', 'queries', 'commands', 'runtime'],
  supervise: [...pure, 'config', 'engine', 'helper', 'inbox', 'ingest', 'digest', 'store'],
  cli: [
    ...pure,
    'lens',
    'symbolicate',
    'config',
    'commands',
    'store',
    'engine',
    'inbox',
    'digest',
    'supervise',
    'queries',
    'search',
  ],
  runtime: ['lib', 'config', 'store'],
  config: ['lib'],
  instrumentation: ['lib', 'web', 'runtime'],
  'instrumentation-client': ['lib', 'web'],
  main: ['lib', 'config', 'engine', 'ingest', 'supervise'],
}

const roomOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.tsx?$/, '')

const files = globSync('**/*.{ts,tsx}', { cwd: src })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => !/\.(test|d)\.tsx?$/.test(path))

type Import = { from: string; to: string; isTypeOnly: boolean }
const imports: Import[] = files.flatMap(path => {
  const text = readFileSync(join(src, path), 'utf8')
  return [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\((type )?'([^']+)'/g),
  ].flatMap(match => {
    const target = match[2] ?? ''
    if (target.startsWith('#')) return [{ from: path, to: roomOf(target.slice(1)), isTypeOnly: match[1] !== undefined }]
    if (!target.startsWith('.')) return []
    const folder = join('/', path, '..', target).slice(1)
    return [{ from: path, to: roomOf(folder), isTypeOnly: match[1] !== undefined }]
  })
})

describe('the import table', () => {
  it('lists every room', () => {
    expect([...new Set(files.map(roomOf))].filter(room => !(room in mayImport))).toEqual([])
  })

  it('is kept', () => {
    const wrong = imports.filter(({ from, to, isTypeOnly }) => {
      const room = roomOf(from)
      if (room === to) return false
      // What a component draws is a type: web shapes it, ui owns it.
      if (isTypeOnly && (room === 'ui' || (room === 'web' && to === 'ui'))) return false
      return !(mayImport[room] ?? []).includes(to)
    })
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('lets nothing import main', () => {
    expect(imports.filter(({ to }) => to === 'main')).toEqual([])
  })

  it('lets only config.ts read the environment', () => {
    const readers = files.filter(
      path => path !== 'config.ts' && /process\.env\b/.test(readFileSync(join(src, path), 'utf8')),
    )
    // instrumentation.ts asks a constant that Next fills in at build time, and snippets show users theirs.
    // The web child passes the environment on to Next, and the supervisor to the web child: neither reads a setting from it.
    const allowed = ['web/web-process.ts', 'main.ts', 'instrumentation.ts']
    expect(readers.filter(path => !allowed.includes(path) && !/^ui\/snippets\/\w+-snippets\.ts$/.test(path))).toEqual(
      [],
    )
  })
})
