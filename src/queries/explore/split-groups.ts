/** A query taken apart at its brackets: plain stretches of terms, and groups that are queries again. */
export type Piece = { kind: 'terms'; text: string } | { kind: 'group'; isNegated: boolean; pieces: Piece[] }
export type Split = { ok: true; pieces: Piece[] } | { ok: false; at: number; message: string }

const maxDepth = 10

type Level = { pieces: Piece[]; isNegated: boolean; at: number }

/**
 * Brackets group where a term could begin; within a word (`count()`, `failed (2)` in quotes, `[a,b]`) they belong to it.
 * Pure and total, like the search grammar itself.
 */
export function splitGroups(query: string): Split {
  const levels: Level[] = [{ pieces: [], isNegated: false, at: 0 }]
  let begun = 0
  let open = 0
  const level = () => levels.at(-1) ?? { pieces: [], isNegated: false, at: 0 }
  const endTerms = (end: number) => {
    const text = query.slice(begun, end)
    if (text.trim() !== '') level().pieces.push({ kind: 'terms', text })
  }
  for (let at = 0; at < query.length; at++) {
    const char = query[at]
    if (char === '\\') at += 1
    else if (char === '"' || char === '[') at = skipTo(query, at, char === '"' ? '"' : ']')
    else if (/\s/.test(char ?? '')) open = 0
    else if (char === '(') {
      const isNegated = query[at - 1] === '!' && isTermStart(query, at - 1, begun)
      if (!isNegated && !isTermStart(query, at, begun)) {
        open += 1
        continue
      }
      endTerms(isNegated ? at - 1 : at)
      if (levels.length > maxDepth) return { ok: false, at, message: `Brackets may be ${maxDepth} deep.` }
      levels.push({ pieces: [], isNegated, at })
      begun = at + 1
    } else if (char === ')') {
      if (open > 0) {
        open -= 1
        continue
      }
      if (levels.length === 1) return { ok: false, at, message: 'This bracket closes nothing. Put it in quotes.' }
      endTerms(at)
      const { pieces, isNegated } = levels.pop() ?? level()
      level().pieces.push({ kind: 'group', isNegated, pieces })
      begun = at + 1
    }
  }
  if (levels.length > 1)
    return { ok: false, at: level().at, message: 'This bracket is never closed. Add ) at its end.' }
  endTerms(query.length)
  return { ok: true, pieces: level().pieces }
}

const isTermStart = (query: string, at: number, begun: number) => at === begun || /\s/.test(query[at - 1] ?? ' ')

/** The last character of a quote or list; where it is never closed, the whole rest, about which the grammar complains. */
function skipTo(query: string, from: number, end: string): number {
  for (let at = from + 1; at < query.length; at++) {
    if (query[at] === '\\') at += 1
    else if (query[at] === end) return at
    else if (end === ']' && query[at] === '"') at = skipTo(query, at, '"')
  }
  return query.length
}
