import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'

type Share = { key: string; values: { value: string; share: number }[]; more: number }

/** The most frequent value of each tag and its share; each is a search for issues that have it too. */
export function TagShares({ shares, href, isOne = false }: { shares: Share[]; href: string; isOne?: boolean }) {
  return (
    <div className={isOne ? 'dist one' : 'dist'}>
      {shares.map(({ key, values, more }) => (
        <details key={key} className="share">
          <summary>
            <span className="nm cut">{shorten(key, 60)}</span>
            <Bar share={values[0]?.share ?? 0} />
            <span className="vl cut">{shorten(values[0]?.value ?? '', 80)}</span>
            <span className="p">{percent(values[0]?.share ?? 0)}</span>
          </summary>
          <ul>
            {values.map(({ value, share }) => (
              <li key={value} className="shareline">
                <Link className="link cut" href={`${href}?query=${encodeURIComponent(term(key, value))}`}>
                  {shorten(value, 200)}
                </Link>
                <span className="p">{percent(share)}</span>
              </li>
            ))}
            {more > 0 ? <li className="t3">and {more.toLocaleString('en-US')} more</li> : null}
          </ul>
        </details>
      ))}
    </div>
  )
}

function Bar({ share }: { share: number }) {
  return (
    <span className="bar" aria-hidden="true">
      <i style={{ width: `${Math.max(1, Math.round(share * 100))}%` }} />
    </span>
  )
}

/** A search term; a value with spaces, quotes or stars is quoted. */
function term(key: string, value: string): string {
  const isPlain = /^[\w.@/:[\]-]+$/.test(value)
  return `${key}:${isPlain ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`}`
}

function percent(share: number): string {
  const whole = Math.round(share * 100)
  return whole === 0 && share > 0 ? '<1 %' : `${whole} %`
}
