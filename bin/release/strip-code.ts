/**
 * TypeScript to JavaScript for a package: Node strips no types below node_modules. Only the types go and the file names change, so lines
 * and columns in a stack are those of the source.
 */
import { existsSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

const imported = /(\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)'((?:#|\.\.?\/)[^'\n]*)\.ts'/g
const besideThis = /join\(import\.meta\.dirname((?:,\s*'[^'\n]*')+)\)/g

/** `#` stands for `src`. */
export function stripCode({ src, path }: { src: string; path: string }, text: string): string {
  const fileOf = (target: string) => (target.startsWith('#') ? join(src, target.slice(1)) : join(dirname(path), target))
  return stripTypeScriptTypes(text)
    .replace(imported, (whole, before: string, target: string) =>
      existsSync(`${fileOf(target)}.ts`) ? `${before}'${target}.js'` : whole,
    )
    .replace(besideThis, (whole: string, list: string) => {
      const parts = [...list.matchAll(/'([^']*)'/g)].map(([, part = '']) => part)
      const isCode = parts.at(-1)?.endsWith('.ts') && existsSync(join(dirname(path), ...parts))
      return isCode ? whole.replace(/\.ts'\)$/, ".js')") : whole
    })
}
