import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Control, openControl } from '#store/control/open-control.ts'
import { findFreePort } from './find-free-port.ts'

const cli = join(import.meta.dirname, '..', '..', 'src', 'cli', 'hydrant.ts')
const folder = mkdtempSync(join(tmpdir(), 'hydrant-cli-'))
const dataDir = join(folder, 'data')
const init = [
  'init',
  '--org',
  'acme',
  '--project',
  'web',
  '--email',
  'ann@acme.dev',
  '--password',
  'correct horse',
  '--json',
]
let server: Control | undefined
let port = 0

type Ended = { code: number; stdout: string; stderr: string }

function hydrant(args: string[], input = ''): Promise<Ended> {
  const settings = { PORT: String(port), HYDRANT_DATA_DIR: dataDir, HYDRANT_URL: 'https://errors.acme.dev' }
  const env = { NODE_ENV: 'test', ...settings } as const
  return new Promise(resolve => {
    const child = execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

let first: Ended[]
beforeAll(async () => {
  port = await findFreePort()
  first = await Promise.all([hydrant(init), hydrant(init), hydrant(init)])
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

test('init works on an empty machine, even three times at once, and prints only JSON', () => {
  const [one] = first
  expect(first).toEqual([one, one, one])
  expect(one).toMatchObject({ code: 0, stderr: '' })
  const { token, dsn, ...rest } = JSON.parse(one?.stdout ?? '')
  expect(rest).toEqual({ organization: 'acme', project: { id: 1, slug: 'web' } })
  expect(dsn).toMatch(/^https:\/\/[0-9a-f]{32}@errors\.acme\.dev\/1$/)
  expect(token).toMatch(/^sntrys_[^_]+_[^_]+$/)
})

test('init next to a running server creates a project that the server sees, and prints the DSN first', async () => {
  server = openControl({ dataDir })
  const key = 'fedcba9876543210fedcba9876543210'
  const { code, stdout } = await hydrant([
    'init',
    '--org',
    'acme',
    '--project',
    'shop',
    '--project-id',
    '77',
    '--key',
    key,
  ])
  expect({ code, first: stdout.split('\n')[0] }).toEqual({
    code: 0,
    first: `DSN           https://${key}@errors.acme.dev/77`,
  })
  const rows = await server.db.selectFrom('project_key').select('project_id').where('public_key', '=', key).execute()
  expect(rows).toEqual([{ project_id: 77 }])
})

test('init with the id of another project exits with 1 and prints nothing to standard output', async () => {
  const ended = await hydrant(['init', '--org', 'acme', '--project', 'third', '--project-id', '77', '--json'])
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'This project id belongs to another project.\n' })
})

test('a user is added with a password from standard input, or with a generated one that is shown once', async () => {
  const given = await hydrant(
    ['user', 'add', '--email', 'bob@acme.dev', '--role', 'viewer', '--password', '-'],
    'a long secret\n',
  )
  expect(given).toMatchObject({ code: 0, stdout: 'bob@acme.dev is now viewer of acme.\n' })
  const made = await hydrant(['user', 'add', '--email', 'eve@acme.dev', '--role', 'admin'])
  expect(made.stdout).toMatch(/eve@acme\.dev is now admin of acme\.\nPassword: \S{20} \(shown only once\)\n/)
  const again = await hydrant(['user', 'add', '--email', 'eve@acme.dev', '--role', 'admin'])
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'This user is already a member.\n' })
  const { stdout } = await hydrant(['user', 'list', '--json'])
  const members = (JSON.parse(stdout) as { email: string; role: string }[]).map(({ email, role }) => `${email} ${role}`)
  expect(members).toEqual(['ann@acme.dev owner', 'bob@acme.dev viewer', 'eve@acme.dev admin'])
})

test('doctor finds the database up to date and exits with 0', async () => {
  const { code, stdout } = await hydrant(['doctor', '--json'])
  const checks = JSON.parse(stdout) as { name: string; state: string; sentence: string }[]
  expect({ code, failed: checks.filter(({ state }) => state === 'fail') }).toEqual({ code: 0, failed: [] })
  expect(checks.find(({ name }) => name === 'control database')?.sentence).toContain('migrations are current')
})

test('a login link is printed alone, and a password that others would guess is accepted with a warning', async () => {
  const link = await hydrant(['login-link', 'Ann@acme.dev'])
  expect(link).toMatchObject({ code: 0, stderr: '' })
  expect(link.stdout).toMatch(/^https:\/\/errors\.acme\.dev\/login\/link\/[\w-]{43}\n$/)
  expect(await hydrant(['login-link', 'nobody@acme.dev'])).toMatchObject({ code: 1, stdout: '' })
  expect(await hydrant(['login-link'])).toMatchObject({ code: 2, stdout: '' })
  const weak = await hydrant([
    ...init.slice(0, 2),
    'weak',
    '--project',
    'app',
    '--email',
    'wim@acme.dev',
    '--password',
    'password1',
  ])
  expect(weak).toMatchObject({ code: 0, stderr: expect.stringContaining('others would guess this password early') })
})
