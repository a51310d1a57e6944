import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { type CodeToken, colorCode } from '../snippets/color-code.ts'
import type { ExceptionView, FrameView, SourceLine } from './event-view.ts'

const budgetMs = 40 // per page; the remaining frames use the simple tokenizer
const maxCharsPerFrame = 4_000
const maxLineMs = 250 // a bound for hostile lines; common lines take less than 1 ms
const family = /\.(?:[cm]?[jt]sx?)(?:$|[?#])/i
const looks: Record<string, CodeToken['look']> = {
  'var(--token-keyword)': 'ck',
  'var(--token-string)': 'cs',
  'var(--token-string-expression)': 'cs',
  'var(--token-constant)': 'cn',
  'var(--token-comment)': 'cc',
}

/** Highlights the context lines of JavaScript and TypeScript frames. Other languages stay plain. */
export function colorSource(exceptions: ExceptionView[]): ExceptionView[] {
  const deadline = performance.now() + budgetMs
  const color = (frame: FrameView) => colorFrame(frame, performance.now() < deadline)
  return exceptions.map(exception => ({ ...exception, frames: exception.frames.map(color) }))
}

function colorFrame(frame: FrameView, hasTime: boolean): FrameView {
  if (frame.source.length === 0 || !family.test(frame.path)) return frame
  const code = frame.source.map(line => line.text).join('\n')
  if (code.length > maxCharsPerFrame) return frame
  const lines = (hasTime ? tokenize(code) : null) ?? frame.source.map(line => colorCode(line.text))
  return { ...frame, source: frame.source.map((line, index) => withTokens(line, lines[index])) }
}

/** Events of one issue have the same code, so the results are cached. */
const colored = new Map<string, CodeToken[][]>()
const maxColored = 200

function tokenize(code: string): CodeToken[][] | null {
  const known = colored.get(code)
  if (known) return known
  const highlighter = warmHighlighter()
  if (!highlighter) return null
  const begun = performance.now()
  const tokens = highlight(highlighter, code)
  if (performance.now() - begun >= maxLineMs) return tokens // it may have hit the time limit: don't cache
  const [oldest] = colored.keys()
  if (colored.size >= maxColored && oldest !== undefined) colored.delete(oldest)
  colored.set(code, tokens)
  return tokens
}

function highlight(highlighter: HighlighterCore, code: string): CodeToken[][] {
  const lines = highlighter.codeToTokensBase(code, { lang: 'tsx', theme: 'hydrant', tokenizeTimeLimit: maxLineMs })
  return lines.map(line =>
    line.map(({ content, color }) => ({ text: content, look: lookOf(content, looks[color ?? '']) })),
  )
}

/** If the grammar gave up in the middle, the line stays plain, so that no text is lost. */
function withTokens(line: SourceLine, tokens: CodeToken[] | undefined): SourceLine {
  const isWhole = tokens?.map(token => token.text).join('') === line.text
  return isWhole ? { ...line, tokens: tokens ?? null } : line
}

/** The theme marks objects as constants too; color only literals. */
function lookOf(text: string, look: CodeToken['look'] | undefined): CodeToken['look'] {
  return look === 'cn' && !/^(?:\d|true|false|null|undefined|NaN)/.test(text.trim()) ? null : (look ?? null)
}

const theme = createCssVariablesTheme({ name: 'hydrant', variablePrefix: '--', fontStyle: false })
const sample = `export const a = async <T,>(b: T) => <p className='c'>{\`\${b}\` + 1}</p> // d
class B extends C { x?: number = 1; constructor(private y: string[]) { super(); if (!y) throw new Error('e') } }
function* f({ g = 2, ...h }) { for (const i of h) yield i.j?.(k ?? null) }
import { l } from "m"
type N = { o: P<'q'> }
`

let ready: HighlighterCore | null = null
let isStarted = false

/** Null until it is ready. Compiling the grammar takes most of a second, so the first pages use the simple tokenizer. */
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
