/** The code keeps to the import table, without cycles, and the docs print the table as it is. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importTable, printTable } from './import-table.ts'

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')

const files = globSync('**/*.{ts,tsx}', { cwd: src })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => !/\.(test|d)\.tsx?$/.test(path))
const known = new Set(files)

const roomOf = (path: string): string => {
  const [first = '', second = ''] = path.split('/')
  return first === 'domain' ? `domain/${second}` : first.replace(/\.tsx?$/, '')
}

type Import = { from: string; to: string; isTypeOnly: boolean }
const imports: Import[] = files.flatMap(path => {
  const text = readFileSync(join(src, path), 'utf8')
  return [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'/gm),
    ...text.matchAll(/\bimport\((type )?'([^']+)'/g),
  ].flatMap(match => {
    const target = match[2] ?? ''
    const isTypeOnly = match[1] !== undefined
    if (target.startsWith('#')) return [{ from: path, to: target.slice(1), isTypeOnly }]
    if (target.startsWith('.')) return [{ from: path, to: join('/', path, '..', target).slice(1), isTypeOnly }]
    return []
  })
})

describe('the import table', () => {
  it('lists every folder', () => {
    expect([...new Set(files.map(roomOf))].filter(room => !(room in importTable))).toEqual([])
  })

  it('is kept', () => {
    const wrong = imports.filter(({ from, to, isTypeOnly }) => {
      const [room, target] = [roomOf(from), roomOf(to)]
      if (room === target) return false
      // A component owns the type of what it draws, and may name those of the rows that it is given.
      if (isTypeOnly && (room === 'ui' || (room === 'web' && target === 'ui'))) return false
      const allowed = importTable[room]?.imports ?? []
      return !allowed.includes(target) && !allowed.includes(target.split('/')[0] ?? '')
    })
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('is what the docs print', () => {
    expect(readFileSync(join(root, 'docs/start-here.md'), 'utf8')).toContain(printTable())
  })
})

it('has no import cycles, not even of types', () => {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (done.has(path) || way.includes(path)) return
    for (const { to } of targets.get(path) ?? []) if (known.has(to)) visit(to, [...way, path])
    done.add(path)
  }
  for (const path of files) visit(path, [])
  expect(cycles).toEqual([])
})

it('has no file above 400 lines', () => {
  const long = files.filter(path => readFileSync(join(src, path), 'utf8').split('\n').length > 400)
  expect(long).toEqual([])
})

it('lets only config.ts read the environment', () => {
  const readers = files.filter(
    path => path !== 'config.ts' && /process\.env\b/.test(readFileSync(join(src, path), 'utf8')),
  )
  // instrumentation.ts reads a constant that Next fills in at build time, and snippets show users theirs.
  // The web child passes the environment on to Next, and the supervisor to the web child: neither reads a setting from it.
  const allowed = ['web/run-web.ts', 'supervisor/run-main.ts', 'instrumentation.ts']
  expect(readers.filter(path => !allowed.includes(path) && !/^ui\/snippets\/[\w-]+\.ts$/.test(path))).toEqual([])
})
