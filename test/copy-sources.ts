/** A copy of Hydrant's sources, which a test can edit. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './start-hydrant.ts'

export type SourceCopy = {
  folder: string
  /** Writes the file of the checkout with one change. The text to replace is in it exactly once. */
  edit(file: string, from: string, to: string): void
  restore(file: string): void
  remove(): void
}

const copied = [
  'src',
  'bin',
  'package.json',
  'package-lock.json',
  'next.config.ts',
  'tsconfig.json',
  'tsconfig.next.json',
]
const linked = ['node_modules', '.engine']

/** Below the checkout, because Next follows no link to a folder that is outside of the repository. */
export function copySources(): SourceCopy {
  const parent = join(root, 'test/.tmp')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'sources-'))
  const isTest = (path: string) => /\.test\.tsx?$/.test(path)
  for (const name of copied)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: path => !isTest(path) })
  for (const name of linked) symlinkSync(join(root, name), join(folder, name))
  return {
    folder,
    edit: (file, from, to) => {
      const parts = readFileSync(join(root, file), 'utf8').split(from)
      if (parts.length !== 2) throw new Error(`${file} has ${JSON.stringify(from)} ${parts.length - 1} times`)
      writeFileSync(join(folder, file), parts.join(to))
    },
    restore: file => cpSync(join(root, file), join(folder, file)),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
