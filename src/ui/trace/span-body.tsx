import { Link } from '../link.tsx'
import { Facts } from '../page-parts.tsx'

/** The details of a span, in the drawer and on the page without JavaScript. */
export function SpanBody({ view }: { view: SpanDetailsView }) {
  return (
    <>
      {view.ended === '' ? null : <p className="t2">{view.ended}</p>}
      {view.usual === '' ? null : (
        <p className="t2">
          {view.isSlow ? <b className="bad">Slower than usual. </b> : null}
          {view.usual}
        </p>
      )}
      {view.previous ? (
        <p>
          <Link className="link" href={view.previous.href}>
            {view.previous.label}
          </Link>
        </p>
      ) : null}
      {view.profileHref === null ? null : (
        <p>
          <Link className="link" href={view.profileHref}>
            Where the time went: profile
          </Link>
        </p>
      )}
      <section>
        <Facts isWide facts={view.facts} />
      </section>
      {view.logs.length > 0 ? (
        <section>
          <h3>Log lines</h3>
          <ol className="loglines">
            {view.logs.map(({ at, level, body }, index) => (
              <li key={index}>
                <span className="t3">{at}</span>{' '}
                <span className={level === 'error' || level === 'fatal' ? 'bad' : 't2'}>{level}</span>{' '}
                <span className="mono">{body}</span>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      <section>
        <h3>Attributes</h3>
        {view.attributes.length === 0 ? <p className="t3">No attributes.</p> : null}
        <Facts
          isWide
          facts={view.attributes.map(({ label, value }) => ({ label, value: <span className="mono">{value}</span> }))}
        />
      </section>
    </>
  )
}

/** The details of a span, as the route handler sends them. */
export type SpanDetailsView = {
  ended: string
  /** The usual duration of similar spans; '' if there are too few. */
  usual: string
  isSlow: boolean
  /** The previous page view. */
  previous: { href: string; label: string } | null
  /** The flame chart, if the span was profiled. */
  profileHref: string | null
  facts: { label: string; value: string }[]
  attributes: { label: string; value: string }[]
  logs: { at: string; level: string; body: string }[]
}
export type SpanLink = { href: string; label: string; level: string; title: string }
