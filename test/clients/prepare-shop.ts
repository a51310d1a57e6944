import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const shopDir: string = join(import.meta.dirname, '../../examples/shop')

type Tell = (line: string) => void

/** Installs and builds the example shop, each only if its inputs have changed. */
export async function prepareShop(tell: Tell = () => {}): Promise<string> {
  await installShop(tell)
  await whenStale(join(shopDir, '.next/.built-from'), hashFiles(listSources()), async () => {
    tell('building the example shop (about half a minute)')
    await runInShop(process.execPath, ['node_modules/next/dist/bin/next', 'build'])
  })
  return shopDir
}

export async function installShop(tell: Tell = () => {}): Promise<void> {
  await whenStale(join(shopDir, 'node_modules/.installed-from'), hashFiles(['package-lock.json']), async () => {
    tell('installing the example shop')
    // Not `npm ci`: it requires the optional binaries of other systems, which not every registry has.
    await runInShop('npm', ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund'])
  })
}

async function whenStale(stampPath: string, hash: string, work: () => Promise<void>): Promise<void> {
  if (readStamp(stampPath) === hash) return
  await work()
  writeFileSync(stampPath, hash)
}

function readStamp(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // never installed or built
  }
}

function listSources(): string[] {
  const made = /^(node_modules|\.next|next-env\.d\.ts|.*\.tsbuildinfo|.*\.md)($|\/)/
  const entries = readdirSync(shopDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return paths
    .map(path => path.slice(shopDir.length + 1))
    .filter(path => !made.test(path))
    .sort()
}

function hashFiles(paths: string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(join(shopDir, path)))
  return hash.digest('hex')
}

async function runInShop(command: string, args: string[]): Promise<void> {
  // npm's own scripts look for `node` by name: let them find the one that runs this.
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`
  // NODE_ENV=test of a test runner would make Next build for tests.
  const env = { ...process.env, PATH: path, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  await run(command, args, { cwd: shopDir, env, maxBuffer: 16 * 1024 * 1024 })
}
