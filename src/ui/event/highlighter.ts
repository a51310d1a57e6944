/** One grammar for the JavaScript family, on the server. Compiling it takes most of a second, so nobody waits for it. */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'

const theme = createCssVariablesTheme({ name: 'hydrant', variablePrefix: '--', fontStyle: false })
const sample = `export const a = async <T,>(b: T) => <p className='c'>{\`\${b}\` + 1}</p> // d
class B extends C { x?: number = 1; constructor(private y: string[]) { super(); if (!y) throw new Error('e') } }
function* f({ g = 2, ...h }) { for (const i of h) yield i.j?.(k ?? null) }
import { l } from "m"
type N = { o: P<'q'> }
`

let ready: HighlighterCore | null = null
let isStarted = false

/** Null until it is warm: the first pages of a process are coloured by simpler means. */
export function warmHighlighter(): HighlighterCore | null {
  if (!isStarted) {
    isStarted = true
    setTimeout(warm, 0).unref()
  }
  return ready
}

async function warm(): Promise<void> {
  const made = await createHighlighterCore({
    themes: [theme],
    langs: [import('shiki/langs/tsx.mjs')],
    engine: createOnigurumaEngine(import('shiki/wasm')),
  })
  made.codeToTokensBase(sample, { lang: 'tsx', theme: 'hydrant' })
  ready = made
}
