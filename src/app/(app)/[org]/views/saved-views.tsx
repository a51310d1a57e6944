import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { listSavedViews } from '#domain/views/saved-views.ts'
import { cleanViewQuery, type ViewList } from '#domain/views/view-lists.ts'
import { Link } from '#ui/link.tsx'
import { showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { ViewChoices } from './view-choices.tsx'

type Props = { viewer: Viewer; list: ViewList; href: string }

/** The saved views of a list as tabs, and the menu that saves and changes them. `href` is the URL of the list as it is shown. */
export async function SavedViews({ viewer, list, href }: Props) {
  const { slug } = viewer.organization
  const found = await attempt('saved views', listSavedViews(viewer, list))
  if (!found.ok) return null
  const query = cleanViewQuery(href.split('?')[1] ?? '') ?? ''
  const current = found.value.find(view => view.query === query) ?? null
  const mayShare = mayDo(viewer.role, 'view.share')
  return (
    <>
      {found.value.map(view => (
        <Link
          key={view.id}
          href={`/${slug}/${list}${view.query === '' ? '' : `?${view.query}`}`}
          aria-current={view === current ? 'page' : undefined}
          title={view.isShared ? 'Shared view' : 'Your view'}
        >
          {showHidden(view.name)}
        </Link>
      ))}
      <ViewChoices
        organizationSlug={slug}
        list={list}
        query={query}
        mayShare={mayShare}
        isFirst={current === found.value[0]}
        current={current && { ...current, mayChange: mayShare || (current.isMine && !current.isShared) }}
        others={found.value
          .filter(view => view !== current && (mayShare || (view.isMine && !view.isShared)))
          .map(({ id, name }) => ({ id, name: showHidden(name) }))}
      />
    </>
  )
}
