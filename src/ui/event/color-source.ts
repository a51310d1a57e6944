import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { type CodeToken, colorCode } from '../snippets/color-code.ts'
import type { ExceptionView, FrameView, SourceLine } from './event-view.ts'

const budgetMs = 40 // of one page; what does not fit is colored by simpler means
const maxCharsPerFrame = 4_000
const maxLineMs = 250 // a bound for hostile lines; common ones take less than one
const family = /\.(?:[cm]?[jt]sx?)(?:$|[?#])/i
const looks: Record<string, CodeToken['look']> = {
  'var(--token-keyword)': 'ck',
  'var(--token-string)': 'cs',
  'var(--token-string-expression)': 'cs',
  'var(--token-constant)': 'cn',
  'var(--token-comment)': 'cc',
}

/** Gives the context lines of JavaScript and TypeScript their colors. Other languages stay plain. */
export function colorSource(exceptions: ExceptionView[]): ExceptionView[] {
  const deadline = performance.now() + budgetMs
  const color = (frame: FrameView) => colorFrame(frame, performance.now() < deadline)
  return exceptions.map(exception => ({ ...exception, frames: exception.frames.map(color) }))
}

function colorFrame(frame: FrameView, hasTime: boolean): FrameView {
  if (frame.source.length === 0 || !family.test(frame.path)) return frame
  const code = frame.source.map(line => line.text).join('\n')
  if (code.length > maxCharsPerFrame) return frame
  const lines = (hasTime ? tokenise(code) : null) ?? frame.source.map(line => colorCode(line.text))
  return { ...frame, source: frame.source.map((line, index) => withTokens(line, lines[index])) }
}

/** Events of one issue come with the same code. The newest so many are kept, of 4,000 characters at most. */
const colored = new Map<string, CodeToken[][]>()
const mostColored = 200

function tokenise(code: string): CodeToken[][] | null {
  const known = colored.get(code)
  if (known) return known
  const highlighter = warmHighlighter()
  if (!highlighter) return null
  const begun = performance.now()
  const tokens = ask(highlighter, code)
  if (performance.now() - begun >= maxLineMs) return tokens // it may have given up in the middle: not for keeps
  const [oldest] = colored.keys()
  if (colored.size >= mostColored && oldest !== undefined) colored.delete(oldest)
  colored.set(code, tokens)
  return tokens
}

function ask(highlighter: NonNullable<ReturnType<typeof warmHighlighter>>, code: string): CodeToken[][] {
  const lines = highlighter.codeToTokensBase(code, { lang: 'tsx', theme: 'hydrant', tokenizeTimeLimit: maxLineMs })
  return lines.map(line =>
    line.map(({ content, color }) => ({ text: content, look: lookOf(content, looks[color ?? '']) })),
  )
}

/** A grammar that gave up must not lose a letter: then the line stays plain. */
function withTokens(line: SourceLine, tokens: CodeToken[] | undefined): SourceLine {
  const isWhole = tokens?.map(token => token.text).join('') === line.text
  return isWhole ? { ...line, tokens: tokens ?? null } : line
}

/** The theme calls objects constants too; only what is written as a value is colored as one. */
function lookOf(text: string, look: CodeToken['look'] | undefined): CodeToken['look'] {
  return look === 'cn' && !/^(?:\d|true|false|null|undefined|NaN)/.test(text.trim()) ? null : (look ?? null)
}

/* One grammar for the JavaScript family, on the server. Compiling it takes most of a second, so nobody waits for it. */

const theme = createCssVariablesTheme({ name: 'hydrant', variablePrefix: '--', fontStyle: false })
const sample = `export const a = async <T,>(b: T) => <p className='c'>{\`\${b}\` + 1}</p> // d
class B extends C { x?: number = 1; constructor(private y: string[]) { super(); if (!y) throw new Error('e') } }
function* f({ g = 2, ...h }) { for (const i of h) yield i.j?.(k ?? null) }
import { l } from "m"
type N = { o: P<'q'> }
`

let ready: HighlighterCore | null = null
let isStarted = false

/** Null until it is warm: the first pages of a process are colored by simpler means. */
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
