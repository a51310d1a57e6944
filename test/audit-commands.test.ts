/** Every command of the domain writes to the audit log, itself or through what it calls. A new one that does not fails here. */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'

const domain = join(import.meta.dirname, '../src/domain')
/** Not decisions of anybody, and why. */
const silent: Record<string, string> = {
  storeChunk: 'a part of an upload, which is recorded when it is whole',
  findMissingChunks: 'a read',
  removeChunks: 'a part of an upload',
  joinChunks: 'a part of an upload',
  whileClaimed: 'a part of an upload',
  findLoginLink: 'a read',
  isSamePassword: 'a part of signing in, which is recorded',
  findWouldEnd: 'a read',
  hasPassword: 'a read',
  isPasswordOf: 'a read',
  reserveChallenge: 'counts attempts, so that there are few',
  reserveGuess: 'counts attempts, so that there are few',
  reserveMail: 'counts attempts, so that there are few',
}

type Declared = { file: string; name: string; text: string; isCommand: boolean }

/** Top-level functions of a file. A command takes a `context: CommandContext`; helpers inside of transactions take `inner`. */
function declaredIn(file: string, source: string): Declared[] {
  const starts = [...source.matchAll(/^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+) = )/gm)]
  return starts.map((match, index) => {
    const text = source.slice(match.index, starts[index + 1]?.index)
    const isCommand = /^export [^{]*?\(\s*context: CommandContext\b/.test(text)
    return { file, name: match[1] ?? match[2] ?? '', text, isCommand }
  })
}

const sources = globSync('**/*.ts', { cwd: domain })
  .filter(path => !path.endsWith('.test.ts'))
  .map(path => ({ file: path.replaceAll('\\', '/'), source: readFileSync(join(domain, path), 'utf8') }))
const declared = sources.flatMap(({ file, source }) => declaredIn(file, source))
const byPlace = new Map(declared.map(each => [`${each.file} ${each.name}`, each]))

/** Where each imported name of a file is declared, as far as it is in the domain. */
const imports = new Map(
  sources.map(({ file, source }) => [
    file,
    new Map(
      [...source.matchAll(/^import \{([^}]*)\} from '(#domain\/|\.\.?\/)([^']+)'/gm)].flatMap(
        ([, names = '', root, path = '']) =>
          names.split(',').map(name => {
            const from = root === '#domain/' ? path : posix.join(posix.dirname(file), `${root}${path}`)
            return [name.trim(), from] as const
          }),
      ),
    ),
  ]),
)

function isAudited({ file, name, text }: Declared, seen = new Set<string>()): boolean {
  if (name === 'writeAudit') return true
  if (seen.has(`${file} ${name}`)) return false
  seen.add(`${file} ${name}`)
  const called = [...text.matchAll(/(?<![.\w])(\w+)(?:<[^>]*>)?\(/g)].map(([, callee = '']) => callee)
  return called.some(callee => {
    const target = byPlace.get(`${imports.get(file)?.get(callee) ?? file} ${callee}`)
    return target !== undefined && target.name !== name && isAudited(target, seen)
  })
}

const commands = declared.filter(
  ({ isCommand, name }) => isCommand && name !== 'writeAudit' && name !== 'inTransaction',
)

test('the walk finds the commands', () => {
  const names = commands.map(({ name }) => name)
  for (const known of [
    'createProject',
    'resolveIssues',
    'inviteMember',
    'removeMember',
    'setFilter',
    'createAuthToken',
  ])
    expect(names).toContain(known)
  expect(names.length).toBeGreaterThan(40)
})

test('every command is audited', () => {
  const missing = commands.filter(command => !isAudited(command)).map(({ name }) => name)
  expect(missing.toSorted()).toEqual(Object.keys(silent).toSorted())
})

test('a command without an entry is noticed', () => {
  const source =
    'export function forget(context: CommandContext, id: number) {\n  return inTransaction(context, drop)\n}\n'
  const [forgetful] = declaredIn('x.ts', source)
  expect(forgetful).toMatchObject({ name: 'forget', isCommand: true })
  expect(forgetful && isAudited(forgetful)).toBe(false)
})
