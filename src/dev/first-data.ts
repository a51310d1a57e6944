/** What `npm run dev` puts into a new data folder. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const owner = { email: 'owner@example.com', password: 'hydrant-dev' }
const shop = ['--org', 'demo', '--project', 'shop']
const commands = [
  ['init', ...shop, '--email', owner.email, '--password', owner.password, '--name', 'Owner'],
  ['seed', ...shop, '--events', '5000', '--issues', '100', '--spans', '20000', '--logs', '5000'],
]

/** Does nothing if it has succeeded before. */
export async function ensureFirstData(dataDir: string, say: (line: string) => void): Promise<void> {
  const stamp = join(dataDir, 'seeded')
  if (existsSync(stamp)) return
  say('writing sample data, once')
  for (const command of commands) await runCli(command)
  writeFileSync(stamp, '')
}

/** Rejects with what the command has printed. */
function runCli(args: readonly string[]): Promise<void> {
  const program = join(import.meta.dirname, '..', 'cli', 'hydrant.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const words: Buffer[] = []
  child.stdout.on('data', chunk => words.push(chunk))
  child.stderr.on('data', chunk => words.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(Buffer.concat(words).toString()))))
  })
}
