/** What one frame adds to a fingerprint: where, in which function, on which line of code. Never a line number. */
import type { Frame } from '#protocol/event.ts'
import { chunkName } from './chunk-name.ts'

const noName = new Set(['', '?', '<anonymous>', '<anonymous function>', 'Anonymous function', 'anonymous'])
/** Plumbing between our frames that comes and goes with the runtime's version. */
const plumbing = new Set(['eval', 'runMicrotasks', 'queueMicrotask', 'processTicksAndRejections', 'nextTick'])
/** Chars. Longer lines are minified bundles: they change with every build. */
const maxLineChars = 120

/** '' when the frame says nothing that stays the same. A part with a `|` names more than a file. */
export function framePart(frame: Frame): string {
  const name = functionName(frame.function)
  if (plumbing.has(name)) return ''
  const place = placeOf(frame)
  const line = codeLine(frame.context_line)
  if (name === '' && line === '') return place
  return `${place}|${line === '' ? name : `${name}|${line}`}`
}

function functionName(value: unknown): string {
  if (typeof value !== 'string' || noName.has(value) || value.endsWith('/<')) return ''
  const short = value.slice(value.lastIndexOf('.') + 1)
  return noName.has(short) ? '' : short
}

function placeOf(frame: Frame): string {
  const file = typeof frame.filename === 'string' ? frame.filename : (frame.abs_path ?? '')
  if (typeof file !== 'string' || file === '<anonymous>' || file === '[native code]') return ''
  // A bundle's module is its file's name again, hash included: only the file tells that it is a chunk.
  if (file.includes('/_next/') || /^https?:/.test(file)) return chunkName(file)
  if (typeof frame.module === 'string' && frame.module !== '') return frame.module
  return file.slice(file.lastIndexOf('/') + 1).toLowerCase()
}

function codeLine(value: unknown): string {
  if (typeof value !== 'string' || value.length > maxLineChars || value.includes('{snip}')) return ''
  return value.trim().replace(/\s+/g, ' ')
}
