import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, root } from '../start-hydrant.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hydrant-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Without web process and engine, which do not matter here and take most of the start. */
async function startOn(dataDir: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'src/main.ts')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(await freePort()),
      HYDRANT_DATA_DIR: dataDir,
      HYDRANT_ROLES: 'ingest',
      CLICKHOUSE_URL: 'http://127.0.0.1:1',
      HYDRANT_SELF_REPORT: 'off',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', chunk => (said += chunk))
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  return { code, said }
}

const oneSentence = (about: RegExp) => ({
  code: 1,
  said: expect.stringMatching(new RegExp(`^Hydrant cannot start: [^\\n]*${about.source}[^\\n]*\\n$`)),
})

test('a file instead of the data folder is named in one sentence', async () => {
  await writeFile(join(folder, 'file'), '')
  expect(await startOn(join(folder, 'file'))).toEqual(oneSentence(/file cannot be created, because/))
  expect(await startOn(join(folder, 'file', 'data'))).toEqual(oneSentence(/cannot be created, because/))
})

test('a corrupt control database is named with the location of its backups', async () => {
  const dataDir = join(folder, 'garbage')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'control.db'), Buffer.alloc(8192, 'garbage '))
  expect(await startOn(dataDir)).toEqual(oneSentence(/control\.db is damaged\. .*control-backups/))
})

test('an inbox without its id is not taken for a new one', async () => {
  const inbox = join(folder, 'nameless', 'inbox')
  await mkdir(inbox, { recursive: true })
  await writeFile(join(inbox, 'log-000000000001.seg'), 'records')
  await writeFile(join(inbox, 'seals.log'), `5 1 0 7 ${crc32('5 1 0 7').toString(16)}\n`)
  await writeFile(join(inbox, 'id'), '')
  expect(await startOn(join(folder, 'nameless'))).toEqual(oneSentence(/id, the id of this inbox, is damaged/))
})

const canMount = process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0

test.skipIf(!canMount)('a read-only and a full data folder are named in one sentence', async () => {
  for (const { options, about } of [
    { options: 'ro', about: /is read-only\./ },
    { options: 'size=64k', about: /is full\./ },
  ]) {
    const dataDir = join(folder, options)
    await mkdir(dataDir)
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir]).status === 0
    try {
      if (isMounted) expect(await startOn(dataDir)).toEqual(oneSentence(about))
    } finally {
      if (isMounted) spawnSync('umount', [dataDir])
    }
    expect(existsSync(join(dataDir, 'run'))).toBe(false)
  }
})
