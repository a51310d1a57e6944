import { Radio } from 'lucide-react'
import type { Viewer } from '#domain/access/viewer.ts'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { ListHead } from '../list-head.tsx'
import { LogSearch } from '../search/log-search.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { keptParams, type LogParams, logsHref } from './search-params.ts'

type Props = { viewer: Viewer; params: LogParams; page: 'lines' | 'patterns' }

/** Title, views, pickers and search: the same for lines and patterns, so that one search serves both. */
export function LogsHead({ viewer, params, page }: Props) {
  const { slug } = viewer.organization
  const below = page === 'patterns' ? '/patterns' : ''
  const href = (change: Partial<LogParams>) => logsHref(slug, params, change, below)
  const views = [
    { label: 'Search', href: logsHref(slug, params), isOn: page === 'lines' },
    { label: 'Patterns', href: logsHref(slug, params, { isLive: false }, '/patterns'), isOn: page === 'patterns' },
  ]
  return (
    <ListHead
      viewer={viewer}
      title="Logs"
      language="logs"
      Search={LogSearch}
      params={params}
      href={href}
      kept={keptParams(params)}
      path={`/${slug}/logs${below}`}
      views={
        <nav className="views" aria-label="Views">
          {views.map(view => (
            <Link key={view.label} href={view.href} aria-current={view.isOn ? 'page' : undefined}>
              {view.label}
            </Link>
          ))}
          <SavedViews viewer={viewer} list="logs" href={logsHref(slug, params)} />
        </nav>
      }
    >
      {page === 'lines' ? (
        <>
          <Link
            className="btn"
            href={logsHref(slug, params, { isLive: !params.isLive })}
            aria-current={params.isLive ? 'true' : undefined}
          >
            <Radio className="i" aria-hidden="true" />
            {params.isLive ? 'Stop live tail' : 'Live tail'}
          </Link>
          <Menu className="btn" label="Export">
            <a href={exportHref(slug, params, 'csv')} download>
              CSV
            </a>
            <a href={exportHref(slug, params, 'ndjson')} download>
              NDJSON
            </a>
          </Menu>
        </>
      ) : null}
    </ListHead>
  )
}

function exportHref(slug: string, params: LogParams, format: 'csv' | 'ndjson'): string {
  const href = logsHref(slug, params, { isLive: false }, '/export')
  return `${href}${href.includes('?') ? '&' : '?'}format=${format}`
}
