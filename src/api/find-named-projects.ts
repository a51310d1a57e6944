import type { Viewer } from '#domain/access/viewer.ts'
import { clipText } from '#lib/text.ts'
import { findNamedProject } from './named-resources.ts'

type NamedProjects = { ok: true; projectIds: number[] } | { ok: false; detail: string }

/** Finds projects by slug or id. The error names the missing project, because a wrong slug is the most common mistake. */
export function findNamedProjects(viewer: Viewer, names: readonly (string | number)[]): NamedProjects {
  const projectIds = new Set<number>()
  for (const name of names) {
    const project = findNamedProject(viewer, String(name))
    if (project === undefined) {
      const quoted = JSON.stringify(clipText(String(name), 100))
      return { ok: false, detail: `There is no project ${quoted} in the organization ${viewer.organization.slug}.` }
    }
    projectIds.add(project.id)
  }
  return { ok: true, projectIds: [...projectIds] }
}
