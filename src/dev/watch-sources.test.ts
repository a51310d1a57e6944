import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { watchSources } from './watch-sources.ts'

test('files that are written, replaced or in a new folder are reported, and edits of one moment together', async () => {
  const root = mkdtempSync(join(tmpdir(), 'hydrant-watch-'))
  const path = (name: string) => join(root, name)
  mkdirSync(path('src/a'), { recursive: true })
  writeFileSync(path('src/a/one.ts'), '1')
  const reports: ReadonlySet<string>[] = []
  const watcher = watchSources(root, { folder: 'src', file: 'next.config.ts' }, paths => reports.push(paths))
  const replace = (name: string, text: string) => {
    writeFileSync(path(`${name}.new`), text)
    renameSync(path(`${name}.new`), path(name))
  }
  const isReported = (name: string) => reports.some(paths => paths.has(path(name)))
  try {
    for (const text of ['2', '3']) {
      replace('src/a/one.ts', text)
      await vi.waitFor(() => expect(isReported('src/a/one.ts')).toBe(true))
      reports.length = 0
    }
    mkdirSync(path('src/b/c'), { recursive: true })
    writeFileSync(path('src/b/c/two.ts'), '1')
    await vi.waitFor(() => expect(isReported('src/b/c/two.ts')).toBe(true))
    reports.length = 0
    writeFileSync(path('package.json'), '{}')
    writeFileSync(path('next.config.ts'), '')
    await vi.waitFor(() => expect(isReported('next.config.ts')).toBe(true))
    expect(isReported('package.json')).toBe(false)
    rmSync(path('src/b'), { recursive: true })
    reports.length = 0
    for (const name of ['src/a/one.ts', 'src/a/two.ts']) writeFileSync(path(name), '4')
    await vi.waitFor(() => expect(isReported('src/a/two.ts')).toBe(true))
    expect(reports.filter(paths => paths.has(path('src/a/one.ts')))).toHaveLength(1)
  } finally {
    watcher.stop()
    rmSync(root, { recursive: true })
  }
}, 60_000)
