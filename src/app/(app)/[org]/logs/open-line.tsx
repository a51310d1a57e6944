'use client'
import { Columns3 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { withTerm } from './edit-search.ts'
import type { AttributeView, LineDetailsView } from './line-details.ts'
import { LineLinks } from './line-links.tsx'
import type { LineView } from './line-view.ts'
import styles from './logs.module.css'

type Loaded = { state: 'loading' | 'failed' | 'missing' } | { state: 'loaded'; view: LineDetailsView }

/** The page's path and parameters, to make links to other searches. */
export type PageAddress = { base: string; q: string; kept: Record<string, string> }

type Props = { line: LineView; address: PageAddress }

/** Everything about an open line. Its attributes narrow the search, its context ignores it. */
export function OpenLine({ line, address }: Props) {
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const url = `${address.base}/logs/lines/${line.key}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again
  useEffect(() => {
    const stop = new AbortController()
    load(url, stop.signal)
      .then(setLoaded)
      .catch(() => stop.signal.aborted || setLoaded({ state: 'failed' }))
    return () => stop.abort()
  }, [url, attempt])
  if (loaded.state === 'loading')
    return (
      <div className={styles.open} role="status">
        <p className={styles.full}>{line.body}</p>
        <p className="t3">Loading attributes…</p>
      </div>
    )
  if (loaded.state !== 'loaded')
    return (
      <div className={styles.open} role="alert">
        <p className={styles.full}>
          {loaded.state === 'missing' ? 'This line is no longer stored.' : 'This line could not be loaded.'}{' '}
          {loaded.state === 'failed' ? (
            <button
              type="button"
              className="btn s"
              onClick={() => {
                setLoaded({ state: 'loading' })
                setAttempt(attempt + 1)
              }}
            >
              Try again
            </button>
          ) : null}
        </p>
      </div>
    )
  return <Details line={line} view={loaded.view} address={address} />
}

async function load(url: string, signal: AbortSignal): Promise<Loaded> {
  const response = await fetch(url, { signal })
  if (response.status === 404) return { state: 'missing' }
  if (!response.ok) return { state: 'failed' }
  return { state: 'loaded', view: await response.json() }
}

function Details({ line, view, address }: Props & { view: LineDetailsView }) {
  return (
    <section className={styles.open} aria-label="Log line">
      <p className={styles.full}>
        <bdi>{view.body || '(empty)'}</bdi>
      </p>
      <div>
        <h3>
          Attributes <span className="t3">{view.attributes.length}</span>
        </h3>
        <dl className={styles.attributes}>
          {view.attributes.map(attribute => (
            <Attribute key={attribute.name} attribute={attribute} address={address} />
          ))}
        </dl>
        <CopyButton
          text={() =>
            JSON.stringify(
              { body: view.body, ...Object.fromEntries(view.attributes.map(({ name, value }) => [name, value])) },
              null,
              2,
            )
          }
          label="Copy as JSON"
        />
      </div>
      <div>
        <h3>
          In context <span className="t3">{view.context.where}, all lines</span>
        </h3>
        <ol className={styles.context} aria-label="Lines around this line">
          {view.context.lines.map(each => (
            <li key={each.key} aria-current={each.isHere || undefined}>
              <span className={styles.time}>{each.offset}</span>
              <Level level={each.level} />
              <bdi className="cut">{each.body}</bdi>
            </li>
          ))}
        </ol>
        <p className={styles.links}>
          <Link className="btn s" href={`${address.base}/logs/${line.key}`}>
            View in context
          </Link>
          <LineLinks view={view} />
        </p>
      </div>
    </section>
  )
}

function Attribute({
  attribute: { name, value, key, raw },
  address,
}: {
  attribute: AttributeView
  address: PageAddress
}) {
  const { base, q, kept } = address
  const href = (search: Record<string, string>) => `${base}/logs?${new URLSearchParams({ ...kept, q, ...search })}`
  const columns = (kept.columns ?? 'route').split(',').filter(Boolean)
  return (
    <div>
      <dt className="cut" title={name}>
        {name}
      </dt>
      <dd>
        <bdi title={value}>{value}</bdi>
        {key === '' ? null : (
          <span className={styles.filters}>
            <Link
              href={href({ q: withTerm(q, key, raw, false) })}
              aria-label={`Only lines with this ${name}`}
              title="Only lines with this value"
            >
              +
            </Link>
            <Link
              href={href({ q: withTerm(q, key, raw, true) })}
              aria-label={`No lines with this ${name}`}
              title="No lines with this value"
            >
              −
            </Link>
            {columns.includes(name) ? null : (
              <Link
                href={href({ columns: [...columns, name].join(',') })}
                aria-label={`Show ${name} as a column`}
                title="Show as a column"
              >
                <Columns3 className="i i-s" aria-hidden="true" />
              </Link>
            )}
          </span>
        )}
      </dd>
    </div>
  )
}
