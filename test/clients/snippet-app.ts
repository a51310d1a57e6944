/** Apps made only of the snippets that users copy, with the packages of the example shop. */
import { execFile } from 'node:child_process'
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { installShop, shopDir } from './prepare-shop.ts'

const run = promisify(execFile)
const fixedEnv = {
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
} as const

/** Beside the shop's build, which git ignores: hard links need the same file system. */
export const snippetsPrefix = '.next/snippets-'

export type SnippetApp = {
  folder: string
  write(name: string, text: string): void
  /** Runs a program of the shop's packages, or of Hydrant's, and gives what it printed. */
  run(program: string, args: string[], env?: Record<string, string>): Promise<string>
  remove(): void
}

/**
 * An app with the shop's packages and no code yet. Its home folder is the app itself, because Next takes the topmost lockfile below
 * the home folder for the root.
 */
export async function makeSnippetApp({ hasNext }: { hasNext: boolean }): Promise<SnippetApp> {
  await installShop()
  mkdirSync(join(shopDir, '.next'), { recursive: true })
  const folder = mkdtempSync(join(shopDir, snippetsPrefix))
  const [packages, own] = [join(shopDir, 'node_modules'), join(folder, 'node_modules')]
  if (hasNext) linkFiles(packages, own)
  else symlinkSync(packages, own)
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  write('package.json', '{ "private": true }')
  return {
    folder,
    write,
    async run(program, args, more = {}) {
      const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`
      const env = { PATH: path, HOME: folder, ...fixedEnv, ...more } as const
      const { stdout, stderr } = await run(program, args, { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 })
      return stdout + stderr
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** For Next: hard links avoid a copy of half a gigabyte, and symbolic links would leave the app's root. */
export function linkFiles(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFiles(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkSync(source, target)
  }
}

const layout = `import type { ReactNode } from 'react'
export default function RootLayout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`
/** A proxy of an app with sign-in: it redirects everything that its matcher doesn't exclude. */
const proxy = `import { type NextRequest, NextResponse } from 'next/server'
export function proxy(request: NextRequest) {
  if (request.method === 'POST') return NextResponse.redirect(new URL('/client-error', request.url))
}
`

/** Adds the shop's failing pages to these files. */
export function writeNextApp(app: SnippetApp, files: Map<string, string>): void {
  for (const part of ['boom', 'client-error', 'global-error.tsx'])
    cpSync(join(shopDir, 'app', part), join(app.folder, 'app', part), { recursive: true })
  cpSync(join(shopDir, 'tsconfig.json'), join(app.folder, 'tsconfig.json'))
  app.write('app/layout.tsx', layout)
  for (const [name, text] of files) app.write(name, name === 'proxy.ts' ? proxy + text : text)
}
