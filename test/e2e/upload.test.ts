/** Uploads and releases by the real tools: sentry-cli, sentry and the bundler plugins. */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openControl } from '#store/control/open-control.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { isLong, longTest } from '../long.ts'
import { makeBundle } from '../make-bundle.ts'
import { builtCartFolder } from '../read-built-cart.ts'
import { type Hydrant, type Provisioned, root } from '../start-hydrant.ts'
import { signInVisitor } from './visitor.ts'

const run = promisify(execFile)
const password = 'correct horse'
let hydrant: Hydrant
let made: Provisioned
/** A small built app in its own repository, with source maps. */
let app: string

beforeAll(async () => {
  hydrant = await borrowHydrant()
  made = await hydrant.init('--org', 'acme', '--project', 'web', '--email', 'ada@example.com', '--password', password)
  await hydrant.init('--org', 'other', '--project', 'app', '--email', 'eve@example.com', '--password', password)
  app = mkdtempSync(join(tmpdir(), 'hydrant-upload-'))
  mkdirSync(join(app, 'home'))
  cpSync(builtCartFolder, join(app, 'dist'), { recursive: true })
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: app })
  await git('init', '-q', '.')
  mkdirSync(join(app, 'src/straße'), { recursive: true })
  for (const [message, price] of [
    ['Sell carts', 1],
    ['Sell them faster', 2],
  ] as const) {
    writeFileSync(join(app, 'src/cart.ts'), `export const price = ${price}\n`)
    writeFileSync(join(app, `src/straße/part ${price}.ts`), '')
    if (price === 2) rmSync(join(app, 'src/straße/part 1.ts'))
    await git('add', 'src')
    await git('commit', '-q', '-m', message)
  }
})
afterAll(async () => {
  await hydrant?.stop()
  rmSync(app, { recursive: true, force: true })
})

type Said = { code: number; text: string }

async function tool(program: string, args: string[], env: Record<string, string> = {}): Promise<Said> {
  const all = {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOME: join(app, 'home'),
    SENTRY_AUTH_TOKEN: made.token,
    SENTRY_CLI_NO_TELEMETRY: '1',
    NO_COLOR: '1',
    RUST_BACKTRACE: '0',
    ...env,
  } as const
  // A hanging tool is ended before the test times out, so that its output is shown.
  const ended = run(process.execPath, [join(root, program), ...args], { cwd: app, env: all, timeout: 600_000 })
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  )
}
/** Only a token and a project: the token contains server URL and organization. */
const sentryCliPath = 'node_modules/@sentry/cli/bin/sentry-cli'
/** Version 2, which comes with SDK 10: it names the project of a release in its path. */
const sentryCli2Path = 'node_modules/sentry-vite-plugin-5/node_modules/@sentry/cli/bin/sentry-cli'
const sentryCli = (...args: string[]) => tool(sentryCliPath, args, { SENTRY_PROJECT: 'web' })
const sentryCli2 = (...args: string[]) => tool(sentryCli2Path, args, { SENTRY_PROJECT: 'web' })
/** The options of a bundler plugin and of the new CLI. */
const pluginEnv = () => ({ SENTRY_URL: hydrant.url, SENTRY_ORG: 'acme', SENTRY_PROJECT: 'web' })

const api = (path: string, init: RequestInit = {}) =>
  fetch(`${hydrant.url}/api/0/organizations/acme/${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${made.token}`, 'Content-Type': 'application/json' },
  })

async function readBundles(release: string) {
  const control = openControl({ dataDir: hydrant.dataDir })
  try {
    return await control.db
      .selectFrom('artifact_bundle_release')
      .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_bundle_release.bundle_id')
      .innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id')
      .select(['checksum', 'dist', 'url', 'kind', 'debug_id', 'blob_key'])
      .where('release', '=', release)
      .orderBy('url')
      .execute()
  } finally {
    await control.close()
  }
}

/** The files of each commit of a release, newest commit first. */
async function readPaths(version: string) {
  const control = openControl({ dataDir: hydrant.dataDir })
  try {
    return await control.db
      .selectFrom('release_commit_file')
      .innerJoin('release', 'release.id', 'release_commit_file.release_id')
      .select(['position', 'path', 'type'])
      .where('version', '=', version)
      .orderBy('position')
      .orderBy('path')
      .execute()
  } finally {
    await control.close()
  }
}

describe('sentry-cli', () => {
  test('gets server, organization and scopes from the token', async () => {
    const info = await sentryCli('info')
    expect(info.text).toContain(`Sentry Server: ${hydrant.url}`)
    expect(info.text).toContain('- org:ci')
    expect((await sentryCli('organizations', 'list')).text).toMatch(/\| acme +\| acme +\|/)
    expect((await sentryCli('projects', 'list')).text).toMatch(/\| web +\|/)
    expect((await sentryCli('repos', 'list')).text).toContain('No repos found')
  })

  test('uploads source maps and sends no chunk twice', async () => {
    expect((await sentryCli('sourcemaps', 'inject', 'dist')).code).toBe(0)
    const upload = ['sourcemaps', 'upload', '--release', 'web@1.0.0', '--dist', 'd1', 'dist']
    const first = await sentryCli(...upload, '--wait')
    expect(first.text).toContain('File processing complete')
    const bundles = await readBundles('web@1.0.0')
    expect(bundles.filter(({ kind }) => kind === 'source_map').length).toBeGreaterThan(0)
    expect(bundles.every(({ dist, debug_id }) => dist === 'd1' && debug_id !== '')).toBe(true)
    const again = await sentryCli(...upload, '--log-level', 'debug')
    expect(again.code).toBe(0)
    expect(again.text).not.toMatch(/POST \S*chunk-upload/)
    expect(await readBundles('web@1.0.0')).toEqual(bundles)
  })

  test('creates, finalizes, lists and deletes releases, also repeatedly', async () => {
    const version = '@acme+web@2.0.0'
    for (const _ of isLong ? [1, 2] : [1]) {
      expect(await sentryCli('releases', 'new', version)).toMatchObject({ code: 0 })
      expect(await sentryCli('releases', 'finalize', version)).toMatchObject({ code: 0 })
      expect(await sentryCli('releases', 'set-commits', version, '--local')).toMatchObject({ code: 0 })
      expect(await sentryCli('deploys', 'new', '--release', version, '-e', 'production')).toMatchObject({ code: 0 })
    }
    expect((await sentryCli('releases', 'list')).text.split(version)).toHaveLength(2)
    expect((await sentryCli('deploys', 'list', '--release', version)).text.match(/production/g)).toHaveLength(1)
    const commits = (await (await api(`releases/${encodeURIComponent(version)}/commits/`)).json()) as {
      message: string
    }[]
    expect(commits.map(({ message }) => message)).toEqual(['Sell them faster', 'Sell carts'])
    expect(await readPaths(version)).toEqual([
      { position: 0, path: 'src/cart.ts', type: 'M' },
      { position: 0, path: 'src/straße/part 1.ts', type: 'D' },
      { position: 0, path: 'src/straße/part 2.ts', type: 'A' },
      { position: 1, path: 'src/cart.ts', type: 'A' },
      { position: 1, path: 'src/straße/part 1.ts', type: 'A' },
    ])
    expect((await sentryCli('releases', 'set-commits', version, '--auto')).code).toBe(0)
    expect((await sentryCli('releases', 'delete', version)).text).toContain(`Deleted release ${version}`)
    expect((await sentryCli('releases', 'delete', version)).text).toContain('does not exist')
  })

  longTest('cannot delete a release that has events', async () => {
    const output = await tool(sentryCliPath, ['send-event', '-m', 'by hand', '--release', 'sent@1.0.0'], {
      SENTRY_DSN: made.dsn,
    })
    expect(output.text).toContain('Event dispatched')
    await hydrant.drained()
    expect((await sentryCli('releases', 'list')).text).toContain('sent@1.0.0')
    const release = (await (await api('releases/sent%401.0.0/')).json()) as { lastEvent: string; firstEvent: string }
    // The time of the event by the tool's clock, and the time of receipt.
    expect(Math.abs(Date.parse(release.firstEvent) - Date.parse(release.lastEvent))).toBeLessThan(600_000)
    expect((await sentryCli('releases', 'delete', 'sent@1.0.0')).text).toContain('This release has events')
  })

  test('of SDK 10 does the same with releases', async () => {
    const version = 'web@2.58.0'
    for (const _ of isLong ? [1, 2] : [1]) {
      expect(await sentryCli2('releases', 'new', version)).toMatchObject({ code: 0 })
      expect(await sentryCli2('releases', 'set-commits', version, '--auto')).toMatchObject({ code: 0 })
      expect(await sentryCli2('releases', 'finalize', version)).toMatchObject({ code: 0 })
      expect(await sentryCli2('releases', 'deploys', version, 'new', '-e', 'production')).toMatchObject({ code: 0 })
    }
    const info = await sentryCli2('releases', 'info', '--show-projects', '--show-commits', version)
    expect(info.text).toMatch(/web@2\.58\.0.*\| web .*\| [0-9a-f]{8,}/)
    const release = (await (await api('releases/web%402.58.0/')).json()) as object
    expect(release).toMatchObject({ commitCount: 2, deployCount: 1, dateReleased: expect.any(String) })
    expect((await sentryCli2('releases', 'list')).text.split(version)).toHaveLength(2)
    expect((await sentryCli2('releases', 'deploys', version, 'list')).text.match(/production/g)).toHaveLength(1)
    expect((await sentryCli2('releases', 'delete', version)).text).toContain(`Deleted release ${version}`)
    expect((await sentryCli2('releases', 'delete', version)).text).toContain('does not exist')
    expect((await sentryCli2('releases', 'new', '--project', 'wbe', version)).text).toContain('Project not found')
  })

  longTest('of SDK 10 knows the same lists, and uploads', async () => {
    expect((await sentryCli2('info')).text).toContain('- org:ci')
    expect((await sentryCli2('organizations', 'list')).text).toMatch(/\| acme +\| acme +\|/)
    expect((await sentryCli2('projects', 'list')).text).toMatch(/\| web +\|/)
    expect((await sentryCli2('repos', 'list')).text).toContain('No repos found')
    expect((await sentryCli2('sourcemaps', 'inject', 'dist')).code).toBe(0)
    const upload = await sentryCli2('sourcemaps', 'upload', '--release', 'web@2.58.1', 'dist')
    expect(upload.text).toContain('Uploaded files to Sentry')
    expect((await readBundles('web@2.58.1')).some(({ kind }) => kind === 'source_map')).toBe(true)
  })

  test('prints the reason for an unknown project or a missing scope', async () => {
    const upload = await sentryCli('sourcemaps', 'upload', '--project', 'wbe', 'dist')
    expect(upload.text).toContain('There is no project "wbe" in the organization acme.')
    const stranger = await tool(sentryCliPath, ['releases', 'list', '--org', 'other'], {
      SENTRY_PROJECT: 'app',
      SENTRY_URL: hydrant.url,
    })
    expect(stranger.code).not.toBe(0)
  })
})

describe('the sentry command', () => {
  const sentry = (...args: string[]) => tool('node_modules/sentry/dist/bin.cjs', args, pluginEnv())

  longTest('uploads for a release with a slash in its version', async () => {
    const output = await sentry('sourcemap', 'upload', 'dist', '--release', 'feat/cart@1.0.0', '--dist', '7')
    expect(output.text).toContain('feat/cart@1.0.0')
    const files = await readBundles('feat/cart@1.0.0')
    expect(files.length).toBeGreaterThan(0)
    expect(files.every(({ dist }) => dist === '7')).toBe(true)
  })

  longTest('creates, deploys and finalizes a release', async () => {
    expect(await sentry('release', 'create', 'acme/feat/x@3.0.0', '--project', 'web')).toMatchObject({ code: 0 })
    expect(await sentry('release', 'set-commits', 'acme/feat/x@3.0.0', '--local')).toMatchObject({ code: 0 })
    expect(await sentry('release', 'deploy', 'acme/feat/x@3.0.0', 'staging')).toMatchObject({ code: 0 })
    expect(await sentry('release', 'finalize', 'acme/feat/x@3.0.0')).toMatchObject({ code: 0 })
    expect((await sentry('release', 'view', 'acme/feat/x@3.0.0')).text).toMatch(
      /Commits +│ 2[\s\S]*Last Deploy +│ staging/,
    )
  })
})

describe('a bundler plugin', () => {
  longTest('for Vite uploads its build', async () => {
    const args = ['build', '--config', join(root, 'test/clients/upload-app/vite.config.mjs')]
    const env = { ...pluginEnv(), SENTRY_RELEASE: 'vite@1.0.0', UPLOAD_APP_OUT: join(app, 'vite') }
    const output = await tool('node_modules/vite/bin/vite.js', args, env)
    expect(output.text).toContain('Successfully uploaded source maps')
    expect((await readBundles('vite@1.0.0')).map(({ kind }) => kind).sort()).toEqual(['minified_source', 'source_map'])
  })

  longTest('for Vite that comes with SDK 10 creates a release with commits, and prints no error', async () => {
    const args = ['build', '--config', join(root, 'test/clients/upload-app/vite.config.mjs')]
    const env = { ...pluginEnv(), SENTRY_RELEASE: 'vite@5.4.0', UPLOAD_APP_OUT: join(app, 'vite5'), UPLOAD_PLUGIN: '5' }
    const output = await tool('node_modules/vite/bin/vite.js', args, env)
    expect(output.text).toContain('Successfully uploaded source maps')
    expect(output.text).not.toMatch(/error/i)
    expect((await readBundles('vite@5.4.0')).map(({ kind }) => kind).sort()).toEqual(['minified_source', 'source_map'])
    const release = (await (await api('releases/vite%405.4.0/')).json()) as object
    expect(release).toMatchObject({ dateReleased: expect.any(String), projects: [{ slug: 'web' }] })
  })

  longTest('for webpack uploads once per compiler to one release', async () => {
    const env = { ...pluginEnv(), SENTRY_RELEASE: 'pack@1.0.0+7', UPLOAD_APP_OUT: join(app, 'webpack') }
    const output = await tool('test/clients/upload-app/run-webpack.mjs', [], env)
    expect(output.text.match(/Successfully uploaded source maps/g)).toHaveLength(2)
    expect(output.text).not.toContain('Error')
    expect((await readBundles('pack@1.0.0+7')).some(({ kind }) => kind === 'source_map')).toBe(true)
    expect((await sentryCli('releases', 'list')).text.split('pack@1.0.0+7')).toHaveLength(2)
    const release = (await (await api('releases/pack%401.0.0%2B7/')).json()) as { dateReleased: string | null }
    expect(release.dateReleased).not.toBeNull()
  })
})

describe('an invalid upload', () => {
  async function upload(bytes: Buffer, { named, checksum }: { named?: string; checksum?: string } = {}) {
    const sha1 = createHash('sha1').update(bytes).digest('hex')
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), named ?? sha1)
    const headers = { Authorization: `Bearer ${made.token}` }
    const sent = await fetch(`${hydrant.url}/api/0/organizations/acme/chunk-upload/`, {
      method: 'POST',
      body: form,
      headers,
    })
    if (sent.status !== 200) return { status: sent.status, ...((await sent.json()) as object) }
    const body = { checksum: checksum ?? sha1, chunks: [sha1], projects: ['web'], version: 'bad@1.0.0' }
    const assembled = await api('artifactbundle/assemble/', { method: 'POST', body: JSON.stringify(body) })
    return (await assembled.json()) as { state: string; detail: string }
  }
  const script = { path: 'files/a.js', type: 'minified_source' as const, url: '~/a.js', content: 'x' }

  longTest('is rejected with a reason, which the release page shows', async () => {
    const named = await upload(Buffer.from('a part'), { named: 'f'.repeat(40) })
    expect(named).toMatchObject({ status: 400, detail: expect.stringContaining('checksum') })
    expect(await upload(Buffer.from('no archive'))).toMatchObject({
      state: 'error',
      detail: expect.stringContaining('not an artifact bundle'),
    })
    const sum = await upload(Buffer.from('some part'), { checksum: 'a'.repeat(40) })
    expect(sum).toMatchObject({ state: 'error', detail: expect.stringContaining('step: checksum') })
    const bomb = makeBundle([{ ...script, content: Buffer.alloc(80 * 1024 * 1024) }])
    expect(await upload(bomb)).toMatchObject({ state: 'error', detail: expect.stringContaining('bomb') })
    const trick = makeBundle([{ ...script, path: '../../etc/passwd' }])
    expect(await upload(trick)).toMatchObject({ state: 'error', detail: expect.stringContaining('step: archive') })
    expect(
      (await api('releases/', { method: 'POST', body: JSON.stringify({ version: 'bad@1.0.0', projects: ['web'] }) }))
        .status,
    ).toBe(201)
    const owner = await signInVisitor(hydrant.url, 'ada@example.com', password)
    const page = await (await owner.get('/acme/releases/bad%401.0.0')).text()
    expect(page).toContain('Failed uploads')
    for (const reason of ['not an artifact bundle', 'zip bomb', 'invalid relative path']) expect(page).toContain(reason)
    expect(await readBundles('bad@1.0.0')).toEqual([])
  })

  test('leaves no files in the upload folder', () => {
    expect(readdirSync(join(hydrant.dataDir, 'uploads'))).toEqual([])
  })

  test('continues an interrupted upload with the missing chunks only', async () => {
    const parts = ['one part', 'another part'].map(text => Buffer.from(text))
    const chunks = parts.map(part => createHash('sha1').update(part).digest('hex'))
    const checksum = createHash('sha1').update(Buffer.concat(parts)).digest('hex')
    const assemble = async () => {
      const body = JSON.stringify({ checksum, chunks, projects: ['web'] })
      return (await (await api('artifactbundle/assemble/', { method: 'POST', body })).json()) as {
        missingChunks: string[]
      }
    }
    expect((await assemble()).missingChunks).toEqual(chunks)
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(parts[0] ?? [])]), chunks[0] ?? '')
    const headers = { Authorization: `Bearer ${made.token}` }
    await fetch(`${hydrant.url}/api/0/organizations/acme/chunk-upload/`, { method: 'POST', body: form, headers })
    expect((await assemble()).missingChunks).toEqual([chunks[1]])
  })
})

longTest('a token can be created in the settings and stops working when it is revoked', async () => {
  const owner = await signInVisitor(hydrant.url, 'ada@example.com', password)
  const response = await owner.submit('/acme/settings/tokens', { name: 'CI', scope: 'org:ci' })
  const token = /value="(sntrys_[^"]+)"/.exec(await response.text())?.[1] ?? ''
  expect(token).not.toBe('')
  const get = (path: string) => fetch(`${hydrant.url}/api/0/${path}`, { headers: { Authorization: `Bearer ${token}` } })
  expect((await get('organizations/acme/chunk-upload/')).status).toBe(200)
  expect((await get('organizations/other/chunk-upload/')).status).toBe(404)
  expect((await get('organizations/acme/issues/')).status).toBe(403)
  const page = await (await owner.get('/acme/settings/tokens')).text()
  expect(page).not.toContain(token)
  const id = /name="token" value="(\d+)"/.exec(page)?.[1] ?? ''
  await owner.submit('/acme/settings/tokens', { token: id })
  expect((await get('organizations/acme/chunk-upload/')).status).toBe(401)
})

longTest('releases are found by a short name and sorted by version', async () => {
  for (const version of ['shop@1.9.0', 'shop@1.10.0'])
    await api('releases/', { method: 'POST', body: JSON.stringify({ version, projects: ['web'] }) })
  const owner = await signInVisitor(hydrant.url, 'ada@example.com', password)
  const short = await owner.get('/acme/releases/1.10.0')
  expect([short.status, short.headers.get('location')]).toEqual([307, '/acme/releases/shop%401.10.0'])
  const page = await (await owner.get('/acme/releases?sort=version&q=shop')).text()
  expect(page.indexOf('shop@1.10.0')).toBeLessThan(page.indexOf('shop@1.9.0'))
  const one = await (await owner.get('/acme/releases/shop%401.10.0')).text()
  expect(one).toContain('Previous release shop@1.9.0')
})
