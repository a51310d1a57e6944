/** An app of React Router made of the snippets that users copy, in framework mode and production. Its packages are installed once. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, root, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'

const run = promisify(execFile)
const startLimitMs = 60_000

const dependencies = {
  '@react-router/dev': '8.4.0',
  '@react-router/node': '8.4.0',
  '@react-router/serve': '8.4.0',
  '@sentry/react-router': '10.75.2',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'react-router': '8.4.0',
  vite: '8.3.8',
}

const ownFiles = {
  'app/root.tsx': `import { Outlet, Scripts } from 'react-router'

export default function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
`,
  'app/routes.ts': `import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('shelf', 'routes/shelf.tsx'),
  route('monitoring', 'routes/monitoring.ts'),
] satisfies RouteConfig
`,
  'app/routes/home.tsx': `function throwInHandler(): never {
  throw new TypeError('The basket has no total')
}

export default function Home() {
  return (
    <button type="button" onClick={throwInHandler}>
      Throw
    </button>
  )
}
`,
  'app/routes/shelf.tsx': `export function loader(): never {
  throw new Error('The winter shelf could not be loaded')
}

export default function Shelf() {
  return <p>Shelf</p>
}
`,
}

export type ReactRouterApp = {
  /** Returns what the build printed. */
  build(env: Record<string, string>): Promise<string>
  start(): Promise<{ url: string; stop(): void }>
  remove(): void
}

export async function makeReactRouterApp(snippets: ReadonlyMap<string, string>): Promise<ReactRouterApp> {
  const packages = await installPackages()
  mkdirSync(join(root, 'test/.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, 'test/.tmp/react-router-'))
  symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  for (const [name, text] of [...Object.entries(ownFiles), ...snippets]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`
  const fixed = { PATH: path, HOME: folder, NODE_ENV: 'production' } as const
  return {
    async build(env) {
      const program = join(folder, 'node_modules/@react-router/dev/bin.cjs')
      const { stdout, stderr } = await run(process.execPath, [program, 'build'], {
        cwd: folder,
        env: { ...fixed, ...env },
      })
      return stdout + stderr
    },
    async start() {
      const port = await freePort()
      const args = [
        '--import',
        './instrument.server.mjs',
        'node_modules/@react-router/serve/bin.cjs',
        'build/server/index.js',
      ]
      const child = spawn(process.execPath, args, {
        cwd: folder,
        env: { ...fixed, PORT: String(port), HOST: '127.0.0.1' },
        stdio: 'ignore',
      })
      const killWithUs = () => child.kill('SIGKILL')
      process.once('exit', killWithUs)
      const url = `http://127.0.0.1:${port}`
      await until(async () => (await fetch(url).catch(() => null))?.ok === true, waitAtLeast(startLimitMs))
      return { url, stop: () => void child.kill('SIGKILL') }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function installPackages(): Promise<string> {
  const text = JSON.stringify({ private: true, dependencies })
  const key = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const folder = join(root, 'node_modules/.cache/hydrant-apps', `react-router-${key}`)
  if (existsSync(join(folder, 'installed'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), text)
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: folder })
  writeFileSync(join(folder, 'installed'), '')
  return folder
}
