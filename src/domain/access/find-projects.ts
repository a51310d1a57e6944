import type { Viewer, ViewerProject } from './viewer.ts'

type Projects = Pick<Viewer, 'projects'>

/** Links that Sentry's tools print name a project by its id. */
const isNamed = (project: ViewerProject, name: string): boolean => hasSlug(project, name) || String(project.id) === name

/** The ids of the projects that a page's URL names; undefined, which means all, if it names none. Unknown names match nothing. */
export const findProjectIds = ({ projects }: Projects, names: readonly string[]): number[] | undefined =>
  names.length === 0
    ? undefined
    : projects.filter(project => names.some(name => isNamed(project, name))).map(({ id }) => id)

/** Whether the viewer has all of these projects: a page about another one is not found. */
export const hasProjects = ({ projects }: Projects, names: readonly string[]): boolean =>
  names.every(name => projects.some(project => isNamed(project, name)))

type Slugs = Pick<ViewerProject, 'slug' | 'formerSlugs'>

/** Whether a project has the slug, or had it before it was renamed. */
export const hasSlug = ({ slug, formerSlugs = [] }: Slugs, wanted: string): boolean =>
  slug === wanted || formerSlugs.includes(wanted)
