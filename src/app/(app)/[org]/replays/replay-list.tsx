import type { Viewer } from '#domain/access/viewer.ts'
import { listReplays } from '#domain/replays/list-replays.ts'
import type { ReplayFilter, ReplaySort } from '#domain/replays/replay-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { replayFields } from '#search/replay-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { type FieldTerm, formatSearch, type SearchTerm } from '#search/search-term.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { ReplayTable } from '#ui/replay/replay-table.tsx'
import { attempt } from '#web/attempt.ts'
import { ListFoot } from '../list-states.tsx'
import { WhyNothing } from '../search/why-nothing.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { NoReplays } from './no-replays.tsx'
import { type ReplayParams, replaysHref } from './search-params.ts'

type Props = { viewer: Viewer; filter: ReplayFilter; params: ReplayParams }

const orders: Record<ReplaySort, string> = {
  newest: 'newest first',
  longest: 'longest first',
  errors: 'most errors first',
  rage: 'most rage clicks first',
  activity: 'most activity first',
}

export async function ReplayList({ viewer, filter, params }: Props) {
  const page = await attempt('replays', listReplays(viewer, filter))
  if (!page.ok) return <FailedPanel what="Replays" reference={page.reference} />
  const { replays, next } = page.value
  const { slug } = viewer.organization
  if (replays.length === 0)
    return (
      <>
        <NoReplays viewer={viewer} params={params} />
        <WhyNothing
          viewer={viewer}
          language="replays"
          text={params.q}
          filter={filter}
          hrefOf={q => replaysHref(slug, params, { q })}
        />
      </>
    )
  const by = (sort: ReplaySort) => ({ href: replaysHref(slug, params, { sort }), isOn: params.sort === sort })
  return (
    <>
      <ReplayTable
        now={viewer.now}
        sorts={{
          duration: by('longest'),
          errors: by('errors'),
          rage: by('rage'),
          activity: by('activity'),
          at: by('newest'),
        }}
        rows={replays.map(replay => ({ ...replay, href: `/${slug}/replays/${replay.replayId}` }))}
      />
      <ListFoot
        words={`${formatMany(replays.length, 'replay')}, ${orders[params.sort]}`}
        first={params.after ? replaysHref(slug, params) : null}
        next={next && replaysHref(slug, params, { after: next })}
      />
    </>
  )
}

const above = (key: string): FieldTerm => ({
  kind: 'field',
  key,
  isNegated: false,
  comparison: '>',
  values: [{ parts: ['0'] }],
  start: 0,
  end: 0,
})
const [errors, rage] = [above('errors'), above('rage')]

/** All, with errors, or with rage clicks. They change these terms and keep the others. */
export function ReplayViews({ viewer, params }: { viewer: Viewer; params: ReplayParams }) {
  const { slug } = viewer.organization
  const { terms } = parseSearch(params.q, languageOf(replayFields))
  const isTerm = (term: SearchTerm, wanted: FieldTerm) => formatSearch([term]) === formatSearch([wanted])
  const others = terms.filter(term => !isTerm(term, errors) && !isTerm(term, rage))
  const has = (wanted: FieldTerm) => terms.some(term => isTerm(term, wanted))
  const views = [
    { label: 'All', q: formatSearch(others), isOn: !has(errors) && !has(rage) },
    { label: 'With errors', q: formatSearch([...others, errors]), isOn: has(errors) },
    { label: 'Rage clicks', q: formatSearch([...others, rage]), isOn: has(rage) },
  ]
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ label, q, isOn }) => (
        <Link key={label} href={replaysHref(slug, params, { q })} aria-current={isOn ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      <SavedViews viewer={viewer} list="replays" href={replaysHref(slug, params)} />
    </nav>
  )
}
