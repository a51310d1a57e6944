import { readWebUrl } from '../web-url.ts'
import type { Inline, Mentionable } from './markdown.ts'

const maxOpen = 16 // bold in italic in bold …; more stays text
const punctuation = /[!-/:-@[-`{-~]/
const wordChar = /[\p{L}\p{N}_]/u

/** An emphasis or a link that is not closed yet. */
type Frame = { marker: '' | '*' | '**' | '_' | '__' | '['; children: Inline[] }

/** Parses the text of a paragraph. One pass: nothing is looked for twice. */
export function createInlineParser(mentionable: readonly Mentionable[]): (text: string) => Inline[] {
  const findMention = createMentionFinder(mentionable)
  return text => new InlineParser(text, findMention).parse()
}

class InlineParser {
  private readonly text: string
  private readonly findMention: FindMention
  private readonly frames: Frame[] = [{ marker: '', children: [] }]
  private readonly codeEnds: CodeEnds
  private at = 0
  private plain = ''

  constructor(text: string, findMention: FindMention) {
    this.text = text
    this.findMention = findMention
    this.codeEnds = findCodeEnds(text)
  }

  parse(): Inline[] {
    while (this.at < this.text.length) this.step(this.text[this.at] ?? '')
    while (this.frames.length > 1) this.abandon()
    this.flush()
    return this.top.children
  }

  private get top(): Frame {
    return this.frames.at(-1) ?? { marker: '', children: [] }
  }

  private step(char: string): void {
    const taken =
      (char === '\\' && this.takeEscape()) ||
      (char === '\n' && this.add({ kind: 'break' }, 1)) ||
      (char === '`' && this.takeCode()) ||
      (char === '@' && this.takeMention()) ||
      ((char === 'h' || char === 'H') && this.takeUrl()) ||
      (char === '[' && this.openLink()) ||
      (char === ']' && this.closeLink()) ||
      ((char === '*' || char === '_') && this.takeEmphasis(char))
    if (taken) return
    this.plain += char
    this.at++
  }

  private takeEscape(): boolean {
    const next = this.text[this.at + 1] ?? ''
    if (!punctuation.test(next)) return false
    this.plain += next
    this.at += 2
    return true
  }

  private takeCode(): boolean {
    const length = runLength(this.text, this.at)
    const end = this.codeEnds(this.at, length)
    if (end === null) {
      this.plain += '`'.repeat(length)
      this.at += length
      return true
    }
    const inner = this.text.slice(this.at + length, end).replaceAll('\n', ' ')
    const isPadded = inner.length > 2 && inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== ''
    return this.add({ kind: 'code', text: isPadded ? inner.slice(1, -1) : inner }, end + length - this.at)
  }

  private takeMention(): boolean {
    if (wordChar.test(this.text[this.at - 1] ?? '')) return false
    const found = this.findMention(this.text, this.at + 1)
    if (found === null) return false
    return this.add(
      { kind: 'mention', text: this.text.slice(this.at, this.at + 1 + found.length), ids: found.ids },
      found.length + 1,
    )
  }

  private takeUrl(): boolean {
    if (wordChar.test(this.text[this.at - 1] ?? '') || this.isInLink()) return false
    const [whole = ''] = match(/https?:\/\/[^\s<>"'`[\]]+/iy, this.text, this.at)
    const found = withoutTrailingMarks(whole)
    if (found === '') return false
    const href = readWebUrl(found)
    if (href !== null) return this.add({ kind: 'link', href, children: [{ kind: 'text', text: found }] }, found.length)
    this.plain += found
    this.at += found.length
    return true
  }

  private isInLink = (): boolean => this.frames.some(({ marker }) => marker === '[')

  private openLink(): boolean {
    return !this.isInLink() && this.open('[', 1)
  }

  private closeLink(): boolean {
    if (!this.isInLink()) return false
    // Stops at the next parenthesis or space, so that a failed one is not read again and again.
    const [whole = '', target = ''] = match(/\]\(([^\s()<>]{1,2000})\)/y, this.text, this.at)
    const href = readWebUrl(target) ?? readMailto(target)
    while (this.top.marker !== '[') this.abandon()
    if (href === null) {
      this.abandon()
      return false
    }
    this.flush()
    const { children } = this.frames.pop() ?? { children: [] }
    return this.add({ kind: 'link', href, children }, whole.length)
  }

  private takeEmphasis(char: '*' | '_'): boolean {
    const length = runLength(this.text, this.at)
    const before = this.text[this.at - 1] ?? ' '
    const after = this.text[this.at + length] ?? ' '
    const isInWord = char === '_' && wordChar.test(before) && wordChar.test(after)
    let left = length
    if (!/\s/.test(before) && !isInWord) left = this.closeEmphasis(char, left)
    if (left > 0 && left <= 3 && !/\s/.test(after) && !isInWord && (char === '*' || !wordChar.test(before)))
      left = this.openEmphasis(char, left)
    this.plain += char.repeat(left)
    this.at += left
    return true
  }

  /** Closes as many as the run is long for; gives the rest of it. */
  private closeEmphasis(char: '*' | '_', run: number): number {
    let left = run
    while (left > 0) {
      const index = this.frames.findLastIndex(({ marker }) => marker.startsWith(char) && marker.length <= left)
      // A link that is open closes first.
      if (index < 0 || this.frames.slice(index + 1).some(({ marker }) => marker === '[')) break
      while (this.frames.length - 1 > index) this.abandon()
      this.flush()
      const { marker, children } = this.frames.pop() ?? { marker: '', children: [] }
      left -= marker.length
      this.add({ kind: marker.length === 2 ? 'bold' : 'italic', children }, marker.length)
    }
    return left
  }

  private openEmphasis(char: '*' | '_', run: number): number {
    let left = run
    if (left >= 2 && this.open(char === '*' ? '**' : '__', 2)) left -= 2
    if (left === 1 && this.open(char, 1)) left = 0
    return left
  }

  private open(marker: Frame['marker'], length: number): boolean {
    if (this.frames.length > maxOpen) return false
    this.flush()
    this.frames.push({ marker, children: [] })
    this.at += length
    return true
  }

  /** The innermost one was never closed: its mark was text. */
  private abandon(): void {
    this.flush()
    const { marker, children } = this.frames.pop() ?? { marker: '', children: [] }
    addText(this.top.children, marker)
    for (const child of children)
      if (child.kind === 'text') addText(this.top.children, child.text)
      else this.top.children.push(child)
  }

  private flush(): void {
    addText(this.top.children, this.plain)
    this.plain = ''
  }

  private add(node: Inline, length: number): true {
    this.flush()
    this.top.children.push(node)
    this.at += length
    return true
  }
}

function addText(children: Inline[], text: string): void {
  const last = children.at(-1)
  if (text === '') return
  if (last?.kind === 'text') last.text += text
  else children.push({ kind: 'text', text })
}

function match(pattern: RegExp, text: string, at: number): readonly string[] {
  pattern.lastIndex = at
  return pattern.exec(text) ?? []
}

function runLength(text: string, start: number): number {
  let end = start + 1
  while (text[end] === text[start]) end++
  return end - start
}

type CodeEnds = (start: number, length: number) => number | null

/** Where the next run of as many backticks is. All runs are found once, by length. */
function findCodeEnds(text: string): CodeEnds {
  const starts = new Map<number, number[]>()
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const same = starts.get(run.length)
    if (same) same.push(index)
    else starts.set(run.length, [index])
  }
  const next = new Map<number, number>()
  return (start, length) => {
    const same = starts.get(length) ?? []
    let at = next.get(length) ?? 0
    while (at < same.length && (same[at] ?? 0) <= start) at++
    next.set(length, at)
    return same[at] ?? null
  }
}

/** What ends a sentence is not part of its link, and neither is a parenthesis that the link doesn't open. */
function withoutTrailingMarks(url: string): string {
  const isTrailing = url.includes('(') ? /[.,:;!?*_~]/ : /[.,:;!?*_~)]/
  let end = url.length
  while (end > 0 && isTrailing.test(url[end - 1] ?? '')) end--
  return url.slice(0, end)
}

const readMailto = (text: string): string | null => (/^mailto:[^\s@<>]+@[^\s@<>]+$/i.test(text) ? text : null)

type FindMention = (text: string, at: number) => { ids: readonly string[]; length: number } | null

/** Finds the longest handle at a position. By length, so that the time doesn't depend on how many there are. */
function createMentionFinder(mentionable: readonly Mentionable[]): FindMention {
  const byLength = new Map<number, Map<string, string[]>>()
  for (const { id, handle } of mentionable) {
    if (handle === '' || handle.includes('\n')) continue
    const same = byLength.get(handle.length) ?? new Map<string, string[]>()
    byLength.set(handle.length, same)
    const name = handle.toLowerCase()
    same.set(name, [...(same.get(name) ?? []), id])
  }
  const lengths = [...byLength.keys()].toSorted((a, b) => b - a)
  return (text, at) => {
    for (const length of lengths) {
      const ids = byLength.get(length)?.get(text.slice(at, at + length).toLowerCase())
      if (ids !== undefined && !wordChar.test(text[at + length] ?? '')) return { ids, length }
    }
    return null
  }
}
