import { clipText } from '../text.ts'
import type { Block, Mentionable } from './markdown.ts'
import { createInlineParser } from './parse-inline.ts'

/** The most that a comment may have. */
export const maxMarkdownChars = 10_000
const maxDepth = 6 // of quotes and lists; deeper ones are text

type ParseInline = ReturnType<typeof createInlineParser>

/**
 * Parses paragraphs, quotes, lists, fenced code, bold, italic, code, links and mentions. HTML, images and headings stay text. Every
 * line is read once per level of nesting, so the time is linear in the text, whoever wrote it.
 */
export function parseMarkdown(text: string, mentionable: readonly Mentionable[] = []): Block[] {
  const lines = clipText(text, maxMarkdownChars).replace(/\r\n?/g, '\n').split('\n')
  return parseBlocks(lines, createInlineParser(mentionable), 0)
}

const fence = /^ {0,3}(`{3,}|~{3,})/
const quote = /^ {0,3}> ?/
const item = /^( {0,3}(?:[-*+]|(\d{1,9})[.)]) {1,4})(?=\S)/

function parseBlocks(lines: readonly string[], inline: ParseInline, depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at++
      continue
    }
    const read =
      readFence(lines, at) ??
      (depth < maxDepth ? (readQuote(lines, at, inline, depth) ?? readList(lines, at, inline, depth)) : null) ??
      readParagraph(lines, at, inline, depth)
    blocks.push(read.block)
    at = read.end
  }
  return blocks
}

/** The marks that open a fence. Backticks with more of them behind are code inside of a line. */
function fenceOf(line: string): string | undefined {
  const [whole = '', marker] = fence.exec(line) ?? []
  return marker?.startsWith('`') && line.slice(whole.length).includes('`') ? undefined : marker
}

type Read = { block: Block; end: number }

function readFence(lines: readonly string[], start: number): Read | null {
  const marker = fenceOf(lines[start] ?? '')
  if (marker === undefined) return null
  let end = start + 1
  while (end < lines.length && !closes(lines[end] ?? '', marker)) end++
  return { block: { kind: 'code', text: lines.slice(start + 1, end).join('\n') }, end: end + 1 }
}

function closes(line: string, marker: string): boolean {
  const mark = line.trim()
  return mark.length >= marker.length && mark === (marker[0] ?? '').repeat(mark.length)
}

function readQuote(lines: readonly string[], start: number, inline: ParseInline, depth: number): Read | null {
  let end = start
  while (end < lines.length && quote.test(lines[end] ?? '')) end++
  if (end === start) return null
  const inner = lines.slice(start, end).map(line => line.replace(quote, ''))
  return { block: { kind: 'quote', children: parseBlocks(inner, inline, depth + 1) }, end }
}

/** A list goes on as long as its kind does: an item of the other kind begins a new list. */
function readList(lines: readonly string[], start: number, inline: ParseInline, depth: number): Read | null {
  const first = item.exec(lines[start] ?? '')
  if (first === null) return null
  const isOrdered = first[2] !== undefined
  const items: Block[][] = []
  let at = start
  while (at < lines.length) {
    const head = item.exec(lines[at] ?? '')
    if (head === null || (head[2] !== undefined) !== isOrdered) break
    const width = (head[1] ?? '').length
    const own = [(lines[at] ?? '').slice(width)]
    at++
    while (at < lines.length && belongs(lines, at, width)) own.push(withoutIndent(lines[at++] ?? '', width))
    items.push(parseBlocks(own, inline, depth + 1))
    // Blank lines between two items.
    while (at < lines.length - 1 && isBlank(lines[at]) && item.test(lines[at + 1] ?? '')) at++
  }
  return { block: { kind: 'list', isOrdered, start: Number(first[2] ?? 1), items }, end: at }
}

/** Whether a line goes on an item: it is indented, or blank before an indented one. */
function belongs(lines: readonly string[], at: number, width: number): boolean {
  const line = lines[at]
  return isIndented(line, width) || (isBlank(line) && isIndented(lines[at + 1], width))
}

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === ''
const isIndented = (line: string | undefined, width: number): boolean =>
  !isBlank(line) && (line ?? '').startsWith(' '.repeat(Math.min(2, width)))
const withoutIndent = (line: string, width: number): string =>
  line.slice(Math.min(width, line.length - line.trimStart().length))

function readParagraph(lines: readonly string[], start: number, inline: ParseInline, depth: number): Read {
  let end = start + 1
  while (end < lines.length && !isBlank(lines[end]) && !beginsBlock(lines[end] ?? '', depth)) end++
  const text = lines.slice(start, end).map(line => line.trim())
  return { block: { kind: 'paragraph', children: inline(text.join('\n')) }, end }
}

const beginsBlock = (line: string, depth: number): boolean =>
  fenceOf(line) !== undefined || (depth < maxDepth && (quote.test(line) || item.test(line)))
