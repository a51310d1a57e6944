import { listProjects, type ProjectSummary } from './list-projects.ts'
import type { Viewer } from './viewer.ts'

export async function findProject(viewer: Viewer, slug: string): Promise<ProjectSummary | null> {
  const projects = await listProjects(viewer)
  return projects.find(project => project.slug === slug) ?? null
}
