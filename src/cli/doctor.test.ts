import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkWebBuild } from './doctor.ts'

test('pages are stale when a source file, but not a test, is newer than the build', () => {
  const root = mkdtempSync(join(tmpdir(), 'hydrant-build-'))
  const write = (path: string, seconds: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), '')
    utimesSync(join(root, path), seconds, seconds)
  }
  write('src/app/page.tsx', 1_000)
  expect(checkWebBuild(root).state).toBe('warn')
  write('.next/BUILD_ID', 2_000)
  write('src/app/page.test.ts', 3_000)
  expect(checkWebBuild(root).state).toBe('ok')
  write('src/app/other.tsx', 3_000)
  expect(checkWebBuild(root)).toMatchObject({
    state: 'warn',
    sentence: '1 source files are newer than the built pages.',
  })
  rmSync(root, { recursive: true })
})
