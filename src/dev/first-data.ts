/** What `npm run dev` puts into a new data folder. */
import { fork } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const owner = { email: 'owner@example.com', password: 'hydrant-dev' }
const shop = ['--org', 'demo', '--project', 'shop']
const commands = [
  ['init', ...shop, '--email', owner.email, '--password', owner.password, '--name', 'Owner'],
  ['seed', ...shop, '--events', '5000', '--issues', '100', '--spans', '20000', '--logs', '5000'],
]

type Options = { dataDir: string; say(line: string): void; signal: AbortSignal }

/** Does nothing if it has succeeded before. */
export async function ensureFirstData({ dataDir, say, signal }: Options): Promise<void> {
  const stamp = join(dataDir, 'seeded')
  if (existsSync(stamp)) return
  say('writing sample data, once')
  for (const command of commands) {
    if (signal.aborted) return
    await runCli(command, signal)
  }
  writeFileSync(stamp, '')
}

/** Rejects with what the command has printed. */
function runCli(args: readonly string[], signal: AbortSignal): Promise<void> {
  const child = fork(join(import.meta.dirname, 'dev-cli.ts'), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true, // Ctrl-C reaches only the dev program
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  signal.addEventListener('abort', () => child.kill()) // it removes what it has written so far
  const words: Buffer[] = []
  child.stdout?.on('data', chunk => words.push(chunk))
  child.stderr?.on('data', chunk => words.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(Buffer.concat(words).toString()))))
  })
}
