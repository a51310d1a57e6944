import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'

type Value = { value: string; share: number; usual: number | null }
type Share = { key: string; values: Value[]; more: number }

/** The most frequent values of each tag with their share. Each links to a search for issues with that value. */
export function TagShares({ shares, href, isOne = false }: { shares: Share[]; href: string; isOne?: boolean }) {
  return (
    <div className={isOne ? 'dist one' : 'dist'}>
      {shares.map(({ key, values, more }) => (
        <details key={key} className="share">
          <summary>
            <span className="nm cut">{shorten(key, 60)}</span>
            <Bar share={values[0]?.share ?? 0} usual={values[0]?.usual ?? null} />
            <span className="vl cut">{shorten(values[0]?.value ?? '', 80)}</span>
            <span className="p">{percent(values[0]?.share ?? 0)}</span>
          </summary>
          <ul>
            {values.map(({ value, share }) => (
              <li key={value} className="shareline">
                <Link className="link cut" href={`${href}?q=${encodeURIComponent(term(key, value))}`}>
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

const farFromUsual = 0.2

/** The tick marks the share in the whole project. A share far from it is highlighted. */
function Bar({ share, usual }: { share: number; usual: number | null }) {
  const isFar = usual !== null && Math.abs(share - usual) > farFromUsual
  return (
    <span className="bar" title={usual === null ? undefined : `Usually ${percent(usual)} in this project`}>
      <i className={isFar ? 'far' : undefined} style={{ width: `${Math.max(1, Math.round(share * 100))}%` }} />
      {usual === null ? null : <b style={{ left: `${Math.round(usual * 100)}%` }} />}
      {isFar ? <span className="sr">usually {percent(usual)}</span> : null}
    </span>
  )
}

/** A search term; a value with spaces, quotes or asterisks is quoted. */
function term(key: string, value: string): string {
  const isPlain = /^[\w.@/:[\]-]+$/.test(value)
  return `${key}:${isPlain ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`}`
}

function percent(share: number): string {
  const whole = Math.round(share * 100)
  return whole === 0 && share > 0 ? '<1 %' : `${whole} %`
}
