import { parseSearch } from '#search/parse-search.ts'
import { searchFields } from '#search/search-fields.ts'

type Piece = { text: string; look: string }

/** The typed text once more, behind the field, with its terms tinted and its faults underlined. */
export function SearchPaint({ text }: { text: string }) {
  return (
    <span className="paint" aria-hidden="true">
      {pieces(text).map(({ text: piece, look }, index) => (
        <span key={index} className={look}>
          {piece}
        </span>
      ))}
    </span>
  )
}

function pieces(text: string): Piece[] {
  const parsed = parseSearch(text)
  const marks = parsed.ok
    ? parsed.terms.flatMap(term =>
        term.kind === 'field' ? [{ ...term, look: term.key in searchFields ? 'tok' : 'tok tag' }] : [],
      )
    : parsed.faults.map(fault => ({ ...fault, look: 'bad' }))
  const found: Piece[] = []
  let at = 0
  for (const { start, end, look } of marks) {
    if (start < at) continue
    if (start > at) found.push({ text: text.slice(at, start), look: '' })
    found.push({ text: text.slice(start, end), look })
    at = end
  }
  if (at < text.length) found.push({ text: text.slice(at), look: '' })
  return found
}
