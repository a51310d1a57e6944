import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { Suspense } from 'react'
import { listProjects } from '#queries/list-projects.ts'
import { IssueListSkeleton } from '#ui/issue-list-skeleton.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { requireViewer } from '#web/viewer.ts'
import { NotFoundHere } from '../../../not-found-here.tsx'
import { IssueTable } from './issue-table.tsx'
import { NewEvents } from './new-events.tsx'
import { ProjectViews } from './project-views.tsx'
import { readIssueParams } from './search-params.ts'

export const metadata: Metadata = { title: 'Issues' }

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function IssuesPage({ params, searchParams }: Props) {
  const viewer = await requireViewer((await params).org)
  const { projectSlug, after } = readIssueParams(await searchParams)
  const project = viewer.projects.find(({ slug }) => slug === projectSlug)
  if (projectSlug !== undefined && !project) return <NotFoundHere />
  const arrived = (await listProjects(viewer)).filter(({ id }) => !project || id === project.id)
  const table = <IssueTable viewer={viewer} project={project} after={after} />
  return (
    <>
      <TopBar>
        <h1>Issues</h1>
        <ProjectViews organizationSlug={viewer.organization.slug} projects={viewer.projects} current={project?.slug} />
      </TopBar>
      <NewEvents
        organizationSlug={viewer.organization.slug}
        counts={arrived.map(({ id, eventCount }) => ({ projectId: id, eventCount }))}
      />
      {(await isNavigation()) ? <Suspense fallback={<IssueListSkeleton />}>{table}</Suspense> : table}
    </>
  )
}

/** A click inside the app may show the skeleton at once; a document is sent whole, because it must work without script. */
async function isNavigation(): Promise<boolean> {
  return (await headers()).has('rsc')
}
