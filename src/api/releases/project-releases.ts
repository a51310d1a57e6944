/**
 * Handlers of the same releases under the path of a project, as version 2 of `sentry-cli` and the bundler plugins of SDK 10 call them. A
 * release belongs to the organization: a write adds the project of the path, and the response shows what a viewer of that project sees.
 */
import { narrowViewer } from '#domain/access/viewer.ts'
import { findRelease } from '#domain/releases/list-releases.ts'
import type { ApiCall } from '../api-call.ts'
import { apiNotFound } from '../api-error.ts'
import { findNamedProject, ofProject } from '../named-resources.ts'
import { withInput } from '../with-input.ts'
import { getReleaseCommits } from './commits-and-deploys.ts'
import { type NewReleaseInput, newReleaseInput, type ReleaseInput, releaseChangeInput } from './release-input.ts'
import { changeRelease, createRelease, deleteRelease, getRelease } from './releases.ts'

export const getProjectRelease = ofProject<'version'>(call => getRelease(call))

export const getProjectReleaseCommits = ofProject<'version'>(call => getReleaseCommits(call))

export const postProjectRelease = withInput(newReleaseInput, async (call: ApiCall<'project', NewReleaseInput>) => {
  const named = nameProject(call)
  return named === null ? apiNotFound() : createRelease({ ...call, input: named.input }, named.viewer)
})

export const putProjectRelease = withInput(
  releaseChangeInput,
  async (call: ApiCall<'project' | 'version', ReleaseInput>) => {
    const named = nameProject(call)
    return named === null ? apiNotFound() : changeRelease({ ...call, input: named.input }, named.viewer)
  },
)

/** Of every project, as under the path of the organization, if this project is one of them. */
export const deleteProjectRelease = async (call: ApiCall<'project' | 'version'>) => {
  const project = findNamedProject(call.viewer, call.params.project)
  const own = project && (await findRelease(narrowViewer(call.viewer, [project.id]), call.params.version))
  return own ? deleteRelease(call) : apiNotFound()
}

function nameProject<Input extends ReleaseInput>({ viewer, params, input }: ApiCall<'project', Input>) {
  const project = findNamedProject(viewer, params.project)
  if (project === undefined) return null
  const projects = [...(input.projects ?? []), project.id]
  return { viewer: narrowViewer(viewer, [project.id]), input: { ...input, projects } }
}
