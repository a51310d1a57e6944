import type { SearchHint } from '#search/search-hints.ts'
import type { SearchFault } from '#search/search-term.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import type { SearchReading } from './read-search.ts'

type Piece = { text: string; look: string }
type Props = { text: string; tints: SearchReading['tints']; faults: SearchFault[] }

/** A copy of the text behind the input, with search terms tinted, or errors underlined if there are any. */
export function SearchPaint({ text, tints, faults }: Props) {
  const marks = faults.length > 0 ? faults.map(({ start, end }) => ({ start, end, look: 'wrong' })) : tints
  return (
    <span aria-hidden="true">
      {cut(text, marks).map(({ text: piece, look }, index) => (
        <span key={index} className={look}>
          {piece}
        </span>
      ))}
    </span>
  )
}

function cut(text: string, marks: SearchReading['tints']): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { start, end, look } of marks) {
    if (start < at) continue
    pieces.push({ text: text.slice(at, start), look: '' }, { text: text.slice(start, end), look })
    at = end
  }
  return [...pieces, { text: text.slice(at), look: '' }].filter(piece => piece.text !== '')
}

/** Each error with the part of the search it is about. */
export function SearchFaults({ text, faults }: { text: string; faults: SearchFault[] }) {
  if (faults.length === 0) return null
  return (
    <div role="alert">
      <ul className="qfaults">
        {faults.map(({ start, end, message }) => (
          <li key={`${start}-${message}`}>
            <code>{shorten(text.slice(start, end), 80)}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}

type HintProps = { text: string; hints: SearchHint[]; hrefOf: (search: string) => string }

/** How a valid search is read where it may mean something else, with a link to that. */
export function SearchHints({ text, hints, hrefOf }: HintProps) {
  if (hints.length === 0) return null
  return (
    <ul className="qhints" aria-label="Notes on the search">
      {hints.map(({ start, end, message, instead }) => (
        <li key={`${start}-${message}`}>
          <code>{shorten(text.slice(start, end), 80)}</code> {message}{' '}
          {instead === undefined ? null : (
            <Link className="link" href={hrefOf(instead)}>
              Search {shorten(instead, 120)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
