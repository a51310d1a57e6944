import { join } from 'node:path'
import { readBrowserScript } from '#lib/read-browser-script.ts'

/** `module` is imported by an app; `script` is for a script tag and finds the page's SDK by itself. */
export type HelperForm = 'module' | 'script'

/** The hydration helper without types, comments and indentation. */
export function readHelper(form: HelperForm): string {
  const plain = readBrowserScript(join(import.meta.dirname, 'hydration.ts'))
  if (form === 'module') return `${plain}\n`
  return `(()=>{\n${plain.replaceAll(/^export /gm, '')}\ninstall()\n})()\n`
}
