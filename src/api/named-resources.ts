/** Handlers for paths that name a project, an issue or an event: 404 if the token can't see it. */
import { hasSlug } from '#domain/access/find-projects.ts'
import { narrowViewer, type Viewer, type ViewerProject } from '#domain/access/viewer.ts'
import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { findIssue, findIssueByShortId, findSurvivingIssue, type Issue } from '#domain/issues/find-issue.ts'
import type { ApiCall, ApiHandler } from './api-call.ts'
import { apiNotFound } from './api-error.ts'

type ProjectCall<Param extends string = never, Input = undefined> = ApiCall<Param | 'project', Input> & {
  project: ViewerProject
}
export type IssueCall<Param extends string = never, Input = undefined> = ApiCall<Param | 'issue', Input> & {
  issue: Issue
}
type EventCall<Param extends string = never> = ProjectCall<Param | 'event'> & { issue: Issue; eventId: string }

/** `…/[project]/…`: by slug or id. The viewer is narrowed to it, so that nothing of another project can be in the response. */
export function ofProject<Param extends string = never, Input = undefined>(
  handle: (call: ProjectCall<Param, Input>) => Promise<Response>,
): ApiHandler<Param | 'project', Input> {
  return async call => {
    const project = findNamedProject(call.viewer, call.params.project)
    return project ? handle({ ...call, viewer: narrowViewer(call.viewer, [project.id]), project }) : apiNotFound()
  }
}

export function findNamedProject(viewer: Viewer, name: string): ViewerProject | undefined {
  return viewer.projects.find(candidate => isNamed(candidate, name))
}

/** `…/[issue]/…`: by id or short id. */
export function ofIssue<Param extends string = never, Input = undefined>(
  handle: (call: IssueCall<Param, Input>) => Promise<Response>,
): ApiHandler<Param | 'issue', Input> {
  return async call => {
    const issue = await findNamedIssue(call.viewer, call.params.issue)
    return issue ? handle({ ...call, issue }) : apiNotFound()
  }
}

/** `…/[project]/events/[event]/…`: the event with its issue. */
export function ofEvent<Param extends string = never>(
  handle: (call: EventCall<Param>) => Promise<Response>,
): ApiHandler<Param | 'project' | 'event'> {
  return ofProject<Param | 'event'>(async call => {
    const eventId = call.params.event.replaceAll('-', '').toLowerCase()
    const found = await findIssueOfEvent(call.viewer, eventId, call.project.id)
    const issue = found && (await findIssue(call.viewer, found.issueId))
    return issue ? handle({ ...call, issue, eventId }) : apiNotFound()
  })
}

/** An issue by id or short id (`WEB-42`), or the one it was merged into; null if the token can't see it. */
export async function findNamedIssue(viewer: Viewer, name: string): Promise<Issue | null> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : await findIssueByShortId(viewer, name)
  return id === null ? null : findSurvivingIssue(viewer, id)
}

/** Tools use the slug or the id of an organization or project; configurations may still have the slug before a rename. */
export function isNamed(named: { id: number } & Parameters<typeof hasSlug>[0], name: string): boolean {
  return hasSlug(named, name) || String(named.id) === name
}
