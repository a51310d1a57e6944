import type { Metadata } from 'next'
import { hasSlug } from '#domain/access/find-projects.ts'
import { mayDo } from '#domain/access/permissions.ts'
import { countFiltered, listFilteredExamples, listFilters } from '#domain/filters/filters.ts'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../../../panel.tsx'
import { titleFor } from '../../../../../title-for.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import { findAddressedProject } from '../find-addressed-project.ts'
import { readFilterChoice } from './filter-choice.ts'
import { FilterRow } from './filter-row.tsx'
import { Preview } from './preview.tsx'

type Props = {
  params: Promise<{ org: string; slug: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const days = 14

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, slug } = await params
  return titleFor(org, ({ projects }) => (projects.some(project => hasSlug(project, slug)) ? ['Filters', slug] : null))
}

/** The project's inbound filters: how much each one dropped, with examples, and a preview before a change. */
export default async function FiltersPage({ params, searchParams }: Props) {
  const { org, slug } = await params
  const viewer = await requireViewer(org)
  const project = await findAddressedProject(viewer, slug, '/filters')
  if (!project) return <NothingHere organizationSlug={org} kind="Project" name={slug} />
  const [filters, examples, counts] = await Promise.all([
    listFilters(viewer, project.id),
    listFilteredExamples(viewer, project.id),
    attempt('filtered counts', countFiltered(viewer, project.id, days)),
  ])
  const { rule, to } = await searchParams
  const choice = readFilterChoice(to)
  const wanted = choice === null ? undefined : filters.find(filter => filter.rule === rule)
  const base = `/${viewer.organization.slug}/projects`
  const path = `${base}/${project.slug}/filters`
  return (
    <>
      <TopBar>
        <Trail
          stops={[
            { href: base, label: 'Projects' },
            { href: `${base}/${project.slug}`, label: project.slug },
          ]}
          here="Filters"
        />
      </TopBar>
      <div className="page-body">
        <h1 className="sr">Filters of {project.name}</h1>
        <Section title="Inbound filters" note="Dropped events are counted but not stored.">
          <ul className="filters">
            {filters.map(filter => (
              <FilterRow
                key={filter.rule}
                filter={filter}
                path={path}
                days={days}
                counts={counts.ok ? (counts.value.get(filter.rule) ?? []) : null}
                examples={examples.filter(example => example.rule === filter.rule)}
                mayWrite={mayDo(viewer.role, 'project.filter')}
                now={viewer.now}
              >
                {wanted === filter && choice !== null ? (
                  <Panel what="Preview">
                    <Preview
                      viewer={viewer}
                      project={project}
                      filter={filter}
                      choice={choice}
                      path={path}
                      hasExamples={examples.some(example => example.rule === filter.rule)}
                    />
                  </Panel>
                ) : null}
              </FilterRow>
            ))}
          </ul>
        </Section>
      </div>
    </>
  )
}
