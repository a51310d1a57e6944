/** Apps made of the snippets that users copy, built for production. Each has the same pages, and the packages of an app are installed once. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, root, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'

const run = promisify(execFile)
const startLimitMs = 60_000
const buildLimitMs = 600_000

/** What an app has besides the snippets. */
export type AppKit = {
  name: string
  dependencies: Record<string, string>
  files: Record<string, string>
  /** The arguments of Node, one after the other. */
  build: readonly (readonly string[])[]
  start: readonly string[]
  /** Where the build writes the scripts of the browser. */
  scripts: string
  /** What the folder has besides the packages of the app, as a program that reads only real folders needs them. */
  link?: (folder: string) => Promise<void>
}

type FrameworkApp = {
  /** Returns what the build printed. */
  build(env: Record<string, string>): Promise<string>
  start(): Promise<RunningApp>
  /** As a deploy does it: the script of the browser with this text is gone, and tabs that are open need it. */
  removeScript(text: string): void
  remove(): void
}
type RunningApp = { url: string; stop(): void }

export async function makeFrameworkApp(kit: AppKit, snippets: ReadonlyMap<string, string>): Promise<FrameworkApp> {
  mkdirSync(join(root, 'test/.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, `test/.tmp/${kit.name}-`))
  if (kit.link) await kit.link(folder)
  else symlinkSync(join(await installPackages(kit), 'node_modules'), join(folder, 'node_modules'))
  const own = { private: true, type: 'module', dependencies: kit.dependencies }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
  for (const [name, text] of [...snippets, ...Object.entries(kit.files)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`
  const fixed = { PATH: path, HOME: folder, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  return {
    async build(env) {
      let output = ''
      for (const args of kit.build) {
        const { stdout, stderr } = await run(process.execPath, [...args], {
          cwd: folder,
          env: { ...fixed, ...env },
          timeout: buildLimitMs,
          maxBuffer: 16 * 1024 * 1024,
        })
        output += stdout + stderr
      }
      return output
    },
    async start() {
      const port = await freePort()
      const child = spawn(process.execPath, [...kit.start], {
        cwd: folder,
        env: { ...fixed, PORT: String(port), HOST: '127.0.0.1' },
        stdio: 'ignore',
      })
      const killWithUs = () => child.kill('SIGKILL')
      process.once('exit', killWithUs)
      const url = `http://127.0.0.1:${port}`
      await until(() => isListening(port), waitAtLeast(startLimitMs))
      return { url, stop: () => void child.kill('SIGKILL') }
    },
    removeScript(text) {
      const scripts = readdirSync(join(folder, kit.scripts), { recursive: true, encoding: 'utf8' }).filter(name =>
        name.endsWith('.js'),
      )
      const found = scripts.filter(name => readFileSync(join(folder, kit.scripts, name), 'utf8').includes(text))
      if (found.length !== 1) throw new Error(`${found.length} of ${scripts.length} scripts have the text ${text}`)
      for (const name of found) unlinkSync(join(folder, kit.scripts, name))
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Without a request, which the app would report. */
const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
      .on('error', () => resolve(false))
      .on('connect', () => socket.destroy())
  })

async function installPackages({ name, dependencies }: AppKit): Promise<string> {
  const text = JSON.stringify({ private: true, dependencies })
  const key = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const folder = join(root, 'node_modules/.cache/hydrant-apps', `${name}-${key}`)
  if (existsSync(join(folder, 'installed'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), text)
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: folder })
  writeFileSync(join(folder, 'installed'), '')
  return folder
}
