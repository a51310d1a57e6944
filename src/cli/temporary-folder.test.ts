import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeTemporaryFolder, removeLeftFolders } from './temporary-folder.ts'

const prefix = 'hydrant-kept-'
const parent = mkdtempSync(join(tmpdir(), 'hydrant-left-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** Another process that makes a folder and then waits. */
async function startOther(): Promise<{ child: ChildProcess; folder: string }> {
  const module = join(import.meta.dirname, 'temporary-folder.ts')
  const script = `import { makeTemporaryFolder } from ${JSON.stringify(module)}
    const folder = makeTemporaryFolder(${JSON.stringify(prefix)}, ${JSON.stringify(parent)})
    process.stdout.write(folder.path)
    setInterval(() => folder.path, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script])
  const [folder] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, folder: folder.toString() }
}

test('a folder that cannot be created is explained', () => {
  const missing = join(parent, 'missing')
  expect(() => makeTemporaryFolder(prefix, missing)).toThrow(
    new RegExp(`^No folder can be created in ${missing} .*TMPDIR`),
  )
})

test('the folder of a process that was killed is removed by the next one, and that of a running one stays', async () => {
  const [killed, running] = [await startOther(), await startOther()]
  try {
    writeFileSync(join(killed.folder, 'control.db'), 'data')
    killed.child.kill('SIGKILL')
    await once(killed.child, 'exit')
    removeLeftFolders(prefix, { parent, now: Date.now() + 60_000 })
    expect(existsSync(killed.folder)).toBe(false)
    expect(existsSync(running.folder)).toBe(true)
  } finally {
    running.child.kill('SIGKILL')
    await once(running.child, 'exit')
  }
}, 60_000)

test('a folder that another process has just made stays, and so do other folders', () => {
  const fresh = mkdtempSync(join(parent, prefix))
  const other = mkdtempSync(join(parent, 'hydrant-other-'))
  utimesSync(other, 0, 0)
  const mine = makeTemporaryFolder(prefix, parent)
  expect([fresh, other, mine.path].filter(existsSync)).toEqual([fresh, other, mine.path])
  mine.remove()
  expect(existsSync(mine.path)).toBe(false)
})
