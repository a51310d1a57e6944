import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { TopBar } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { IgnoredNote } from '../ignored-note.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { Pickers } from '../pickers.tsx'
import { DoneNote } from './change-toast.tsx'
import { IssueTable } from './issue-table.tsx'
import { IssueViews, QueryRow } from './issue-views.tsx'
import { loadList } from './load-list.ts'
import { issuesHref, readIssueParams } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Issues')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function IssuesPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const raw = await searchParams
  const params = readIssueParams(raw)
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={viewer.organization.slug} kind="Project" name={params.projects.join(', ')} />
  const { slug } = viewer.organization
  const list = loadList(viewer, params)
  return (
    <>
      <TopBar
        actions={
          <Pickers
            viewer={viewer}
            params={params}
            href={change => issuesHref(slug, params, change)}
            search={{ text: params.q, language: 'issues', href: q => issuesHref(slug, params, { q }) }}
          />
        }
      >
        <h1>Issues</h1>
        <IssueViews viewer={viewer} params={params} />
      </TopBar>
      <IgnoredNote viewer={viewer} params={params} />
      <QueryRow organizationSlug={slug} params={params} list={list} />
      {typeof raw.undo === 'string' ? (
        <DoneNote organizationSlug={slug} undo={raw.undo} isDiscarded={raw.done === 'discard'} />
      ) : null}
      <IssueTable {...{ viewer, params, list }} />
    </>
  )
}
