import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** `module` is imported by an app; `script` is for a script tag and finds the page's SDK by itself. */
export type HelperForm = 'module' | 'script'

/** The hydration helper without types, comments and indentation. */
export function readHelper(form: HelperForm): string {
  const source = readFileSync(join(import.meta.dirname, 'hydration.ts'), 'utf8')
  const plain = stripTypeScriptTypes(source)
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim()
  if (form === 'module') return `${plain}\n`
  return `(()=>{\n${plain.replaceAll(/^export /gm, '')}\ninstall()\n})()\n`
}
