/** The server actions that change second factors, found in the source, so that a new one can't be forgotten. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../start-hydrant.ts'

type Declared = { file: string; name: string; text: string; isExported: boolean }

const read = (file: string): string => readFileSync(join(root, 'src', file), 'utf8')
const sources = globSync('**/*.{ts,tsx}', { cwd: join(root, 'src') })
  .map(path => path.replaceAll('\\', '/'))
  .filter(file => !file.endsWith('.test.ts'))

/** Top-level functions of a file, each with its text up to the next one. */
export function declaredIn(file: string, source: string): Declared[] {
  const starts = [...source.matchAll(/^(export )?(?:async )?(?:function (\w+)|const (\w+) = )/gm)]
  return starts.map((match, index) => ({
    file,
    name: match[2] ?? match[3] ?? '',
    text: source.slice(match.index, starts[index + 1]?.index),
    isExported: match[1] !== undefined,
  }))
}

/** Matches code that changes factors directly: a call to better-auth, or one of our own writes. */
const changes =
  /\.api\.(?:enableTwoFactor|disableTwoFactor|generateBackupCodes)\(|(?:insertInto|updateTable|deleteFrom)\(\s*'(?:passkey|twoFactor)'/

const all = sources.flatMap(file => declaredIn(file, read(file)))

/** Every function that changes factors by itself, as `file#name`. */
export const listFactorWriters = (): string[] =>
  all.filter(({ text }) => changes.test(text)).map(({ file, name }) => `${file}#${name}`)

/** Functions that only run for whoever the guard has let through: their type asks for it. */
export const listGuarded = (): string[] =>
  all
    .filter(
      ({ file, text }) =>
        file.startsWith('web/') && /^[^{]*\(\s*\{ user \}: FactorOwner/.test(text.replace(/^.*?\(/s, '(')),
    )
    .map(({ name }) => name)

/** Server actions that reach one of these functions, in their own file or through a helper of it, as `file#name`. */
export function listFactorActions(): string[] {
  const guarded = new RegExp(String.raw`\b(?:${listGuarded().join('|')})\b`)
  return sources
    .filter(file => file.startsWith('app/') && /^'use server'/.test(read(file)))
    .flatMap(file => {
      const declared = declaredIn(file, read(file))
      const reaches = ({ text, name }: Declared, seen = new Set<string>()): boolean => {
        if (guarded.test(text)) return true
        seen.add(name)
        return declared.some(
          other =>
            !seen.has(other.name) && new RegExp(String.raw`\b${other.name}\(`).test(text) && reaches(other, seen),
        )
      }
      return declared
        .filter(each => each.isExported && reaches(each))
        .map(({ name }) => `${file.replace('app/', '')}#${name}`)
    })
}
