import type { Facet } from '#domain/logs/count-logs.ts'
import { formatCount } from '#ui/format.ts'
import { GetForm } from '#ui/get-form.tsx'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { chosenValues, withFacetValue } from './edit-search.ts'
import styles from './facets.module.css'
import { keptParams, type LogParams, logsHref } from './search-params.ts'

type Props = { organizationSlug: string; params: LogParams; facets: Facet[]; names: string[] }

const titles: Readonly<Record<string, string>> = {
  level: 'Level',
  side: 'Runtime',
  route: 'Route',
  release: 'Release',
  server_name: 'Host',
  environment: 'Environment',
}

/** How the matching lines are spread. Each value is a link that adds it to the search or takes it back. */
export function LogFacets({ organizationSlug, params, facets, names }: Props) {
  const shown = facets.filter(
    ({ values, key }) => values.some(({ value }) => value !== '') || params.facets.includes(key),
  )
  return (
    <aside className={styles.facets} aria-label="Filter by">
      <details className={styles.sheet}>
        <summary>Filter by</summary>
        {shown.map(facet => (
          <FacetList key={facet.key} organizationSlug={organizationSlug} params={params} facet={facet} />
        ))}
        <GetForm action={`/${organizationSlug}/logs`} className={styles.add}>
          {Object.entries({ ...keptParams(params), ...(params.q ? { q: params.q } : {}) })
            .filter(([name]) => name !== 'facets')
            .map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
          <input
            className="inp"
            name="facets"
            list="log-attributes"
            aria-label="Attributes to count, separated by commas"
            placeholder="Add attribute"
            defaultValue={params.facets.join(',')}
          />
          <datalist id="log-attributes">
            {names.map(name => (
              <option key={name} value={[...params.facets, name].join(',')} />
            ))}
          </datalist>
        </GetForm>
      </details>
    </aside>
  )
}

function FacetList({ organizationSlug, params, facet }: Omit<Props, 'facets' | 'names'> & { facet: Facet }) {
  const { key, values, distinct } = facet
  const chosen = new Set(chosenValues(params.q, key))
  const most = Math.max(1, ...values.map(({ count }) => count))
  const listed = [
    ...values.filter(({ value }) => value !== ''),
    // What the search asks for can be taken back, although no line has it.
    ...[...chosen].filter(value => !values.some(each => each.value === value)).map(value => ({ value, count: 0 })),
  ]
  return (
    <section>
      <h3>
        {titles[key] ?? shorten(key, 60)}
        {distinct > listed.length ? <span>{formatCount(distinct)} values</span> : null}
        {params.facets.includes(key) ? (
          <Link
            href={logsHref(organizationSlug, params, { facets: params.facets.filter(each => each !== key) })}
            aria-label={`Remove ${key}`}
          >
            ×
          </Link>
        ) : null}
      </h3>
      <ul>
        {listed.map(({ value, count }) => {
          const isOn = chosen.has(value)
          return (
            <li key={value}>
              <Link
                href={logsHref(organizationSlug, params, { q: withFacetValue(params.q, key, value) })}
                aria-current={isOn ? 'true' : undefined}
                scroll={false}
              >
                <span className={styles.box} data-on={isOn || undefined} aria-hidden="true" />
                {key === 'level' ? <Level level={value} /> : null}
                <bdi className="cut" title={value}>
                  {shorten(value, 80)}
                </bdi>
                <span className={styles.count}>{formatCount(count)}</span>
              </Link>
              <span className={styles.share} style={{ width: `${(count / most) * 82}%` }} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
