import type { Viewer } from './viewer.ts'

type Projects = Pick<Viewer, 'projects'>

/** The ids of the projects that a page's URL names by slug; undefined, which means all, if it names none. Unknown slugs match nothing. */
export const findProjectIds = ({ projects }: Projects, slugs: readonly string[]): number[] | undefined =>
  slugs.length === 0 ? undefined : projects.filter(({ slug }) => slugs.includes(slug)).map(({ id }) => id)

/** Whether the viewer has all of these projects: a page about another one is not found. */
export const hasProjects = ({ projects }: Projects, slugs: readonly string[]): boolean =>
  slugs.every(name => projects.some(({ slug }) => slug === name))
