import { isInApp } from '#lib/is-in-app.ts'
import { type JsonObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import type { FrameView, SourceLine } from './event-view.ts'
import { readFields } from './read-group.ts'

const maxLineChars = 500 // minified bundles have lines of a megabyte
const maxVars = 30

export function readFrameView(frame: JsonObject, advice: string | null = null): FrameView {
  const line = positive(frame.lineno)
  const vars = objectOf(frame.vars)
  return {
    name: textOf(frame.function) || '<anonymous>',
    path: textOf(frame.filename) || textOf(frame.abs_path) || textOf(frame.module),
    line,
    column: positive(frame.colno),
    isInApp: isInApp(frame),
    source: readSource(frame, line),
    vars: vars ? readFields(vars, Object.entries(vars), maxVars) : [],
    advice,
  }
}

function readSource(frame: JsonObject, line: number | null): SourceLine[] {
  if (line === null || typeof frame.context_line !== 'string') return []
  const before = texts(frame.pre_context)
  const after = texts(frame.post_context)
  const at = (offset: number, text: string): SourceLine => ({
    number: line + offset,
    text: cut(text),
    isHere: offset === 0,
    tokens: null,
  })
  return [
    ...before.map((text, index) => at(index - before.length, text)),
    at(0, frame.context_line),
    ...after.map((text, index) => at(index + 1, text)),
  ]
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.slice(0, 20).map(textOf) : [])

/** A line of a minified bundle says nothing at its head; it is cut all the same, and says by how much. */
function cut(text: string): string {
  if (text.length <= maxLineChars) return text
  return `${text.slice(0, maxLineChars)}… (${(text.length - maxLineChars).toLocaleString('en-US')} more characters)`
}

function positive(value: unknown): number | null {
  const number = numberOf(value)
  return number !== undefined && number > 0 ? number : null
}
