/** `npm run release` as users get it: installed by npm, started by its command, first event, sign-in. Nothing is built, and no key is shipped. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect } from 'vitest'
import { listFiles } from '../../bin/release/list-files.ts'
import { longTest } from '../long.ts'
import { freePort, root, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'hydrant-release-'))
let child: ChildProcess | null = null

afterAll(async () => {
  if (child !== null && child.exitCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

longTest(
  'the package is installed by npm, starts without a build, and takes its first event',
  async () => {
    await run(process.execPath, [join(root, 'bin/release/write-release.ts'), folder], { cwd: root })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const app = join(folder, 'app')
    cpSync(join(folder, `hydrant-${version}.tgz`), join(app, 'hydrant.tgz'))
    writeFileSync(join(app, 'package.json'), '{ "private": true }\n')
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', './hydrant.tgz'], { cwd: app })

    const installed = join(app, 'node_modules/hydrant')
    const { encryptionKey } = JSON.parse(
      readFileSync(join(root, '.next/server/server-reference-manifest.json'), 'utf8'),
    )
    const { previewModeId } = JSON.parse(readFileSync(join(root, '.next/server/preview-props.json'), 'utf8'))
    const revealing = listFiles(installed).filter(name => {
      const text = readFileSync(join(installed, name), 'latin1')
      return [root, encryptionKey, previewModeId].some(one => text.includes(one))
    })
    expect(revealing).toEqual([])

    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = { ...process.env, PORT: String(port), HYDRANT_URL: url, HYDRANT_DATA_DIR: join(folder, 'data') }
    const program = join(app, 'node_modules/.bin/hydrant')
    const command = async (...args: string[]) => (await run(program, args, { cwd: app, env })).stdout
    const made = JSON.parse(
      await command(
        'init',
        '--org',
        'acme',
        '--project',
        'web',
        '--email',
        'ada@acme.dev',
        '--password',
        'correct horse battery',
        '--json',
      ),
    )
    child = spawn(program, [], { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let words = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (words += chunk))
    await until(async () => {
      if (child?.exitCode !== null) throw new Error(words)
      return (await fetch(`${url}/login`).catch(() => null))?.status === 200
    }, waitAtLeast(60_000))

    const dsn = new URL(made.dsn)
    const sent = await fetch(`${url}/api/${dsn.pathname.slice(1)}/store/?sentry_key=${dsn.username}`, {
      method: 'POST',
      body: JSON.stringify({ message: 'first event of a package', level: 'error' }),
    })
    expect(sent.status).toBe(200)
    const { token } = JSON.parse(
      await command('token', 'add', '--org', 'acme', '--name', 'reader', '--scopes', 'event:read', '--json'),
    )
    const listed = async () => {
      const response = await fetch(`${url}/api/0/projects/acme/web/issues/`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return response.ok ? await response.text() : ''
    }
    await until(async () => (await listed()).includes('first event of a package'), waitAtLeast(30_000))
    expect(await command('--help')).toContain('hydrant <command>')
  },
  waitAtLeast(600_000),
)
