import type { SearchFault } from '#search/search-term.ts'
import { shorten } from '#ui/shorten.ts'

/** Each mistake with the words it is about. The text itself stays in the field as it was typed. */
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
