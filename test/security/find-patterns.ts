/** Every regular expression in the sources, found by a parser: literals, and constructed ones with the text of their call. */
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'

export type FoundPattern = { file: string; line: number } & (
  | { kind: 'literal'; source: string; flags: string }
  | { kind: 'constructed'; call: string }
)

export function findPatterns(root: string): FoundPattern[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(file => !/\.test\.tsx?$/.test(file))
  return files.toSorted().flatMap(file => patternsIn(file, readFileSync(`${root}/${file}`, 'utf8')))
}

export function patternsIn(file: string, text: string): FoundPattern[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const found: FoundPattern[] = []
  walk(program, node => {
    const line = text.slice(0, node.start).split('\n').length
    if (node.type === 'Literal' && node.regex)
      found.push({ file, line, kind: 'literal', source: node.regex.pattern, flags: node.regex.flags })
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee?.name === 'RegExp')
      found.push({ file, line, kind: 'constructed', call: text.slice(node.start, node.end) })
  })
  return found
}

type Node = {
  type: string
  start: number
  end: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && 'start' in value) visit(value as Node)
  for (const child of Object.values(value)) walk(child, visit)
}
