import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { listDeletedProjects } from '#domain/projects/list-deleted-projects.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { Blank } from '#ui/blank.tsx'
import { Section, TopBar } from '#ui/page-parts.tsx'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { DeletedProjects } from './deleted-projects.tsx'
import { ProjectForm } from './project-form.tsx'
import { ProjectTable } from './project-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Projects')

export default async function ProjectsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const [projects, deleted] = await Promise.all([listProjects(viewer), listDeletedProjects(viewer)])
  return (
    <>
      <TopBar>
        <h1>Projects</h1>
      </TopBar>
      <div className="page-body">
        {projects.length > 0 ? (
          <ProjectTable projects={projects} base={`/${viewer.organization.slug}/projects`} now={viewer.now} />
        ) : (
          <div className="pane">
            <Blank title="No projects yet">A project is one app that sends events. Create the first one below.</Blank>
          </div>
        )}
        <DeletedProjects
          projects={deleted}
          organizationSlug={viewer.organization.slug}
          mayRestore={mayDo(viewer.role, 'project.restore')}
        />
        {mayDo(viewer.role, 'project.create') ? (
          <Section title="New project" note="you get a DSN right away">
            <ProjectForm organizationSlug={viewer.organization.slug} />
          </Section>
        ) : null}
      </div>
    </>
  )
}
