import { formatWhole } from '#lib/format-whole.ts'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'

type Value = { value: string; share: number; usual: number | null }
type Share = { key: string; values: Value[]; more: number }

type Props = {
  shares: Share[]
  /** The events of this issue with a value. */
  href: (key: string, value: string) => string
  /** All issues with it. */
  issuesHref: (key: string, value: string) => string
  isOne?: boolean
}

/** The most frequent values of each tag with their share, and links to the events and issues that have them. */
export function TagShares({ shares, href, issuesHref, isOne = false }: Props) {
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
                <Link className="link cut" href={href(key, value)}>
                  {shorten(value, 200)}
                </Link>
                <Link
                  className="link all"
                  href={issuesHref(key, value)}
                  aria-label={`All issues with ${key} ${shorten(value, 60)}`}
                >
                  All issues
                </Link>
                <span className="p">{percent(share)}</span>
              </li>
            ))}
            {more > 0 ? <li className="t3">and {formatWhole(more)} more</li> : null}
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

function percent(share: number): string {
  const whole = Math.round(share * 100)
  return whole === 0 && share > 0 ? '<1 %' : `${whole} %`
}
