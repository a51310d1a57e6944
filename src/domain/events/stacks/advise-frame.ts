import type { Viewer } from '#domain/access/viewer.ts'
import { minuteIn } from '#lib/time-words.ts'
import { fileAddresses, type WantedMap } from '#symbolication/find-maps.ts'
import type { RefusalCode, Unmapped } from '#symbolication/mapped-frame.ts'

const inject = 'build with a Sentry bundler plugin, or run sentry-cli sourcemaps inject and deploy the files it wrote'

/** Why a frame is still minified, and what to do about it. */
const refusals: Record<RefusalCode, string> = {
  bundle_gone: 'The upload that held this file’s source map has been removed to free space: upload it again.',
  bundle_unreadable: 'The upload with this file’s source map can’t be read: upload it again.',
  file_missing: 'The upload lists this file but does not contain it: upload it again.',
  no_map_named:
    'This file was uploaded without a source map and references none: enable source maps in the build and upload them too.',
  map_missing:
    'This file was uploaded, but the source map it references was not: upload the .map files with the scripts, before they are deleted.',
  map_too_large:
    'The source map of this file is too large: split the chunk, or leave sources out of the map (sourcesContent).',
  map_unreadable: 'The file uploaded as this file’s source map is not a source map: check the output of the build.',
  too_many_segments: 'The source map of this file has too many positions: split the chunk.',
}

/** For a frame whose map was found but did not help. */
export function adviseUnmapped(result: Unmapped): string {
  if (result.kind === 'refused') return refusals[result.code]
  return 'The source map has no entry for this line: it belongs to another build, or the file was changed afterwards. Upload the files exactly as they are deployed.'
}

/** For a frame without a map, with times in the reader's zone. */
export function adviseMissing(
  { debugId, release, dist, file }: WantedMap,
  situation: MapSituation,
  zone: string,
): string {
  const { nearest, failed, dists, projects, hasUpload } = situation
  if (debugId === '' && release === '')
    return `The event has neither a debug id for this file nor a release, so no source map can be found: ${inject}.`
  if (debugId === '' && !hasUpload && dists.length > 0)
    return `This file was uploaded for ${namedDists(dists)}, but the event says ${namedDist(dist)}: use the same dist in Sentry.init and in the upload.`
  if (debugId === '' && !hasUpload && projects.length > 0)
    return `This file was uploaded for the project ${projects[0]} and not for this one: name this project in the upload.`
  if (failed !== null)
    return `The upload for release ${release} failed at the step “${failed.step}”: ${sentence(failed.detail)} Then upload again.`
  if (debugId !== '') return adviseUnknownId(debugId, release, nearest && describe(nearest, zone))
  if (hasUpload)
    return `The event has no debug id for this file, and the upload for release ${release} holds none called ${nameOf(file)}: ${inject}, or correct the --url-prefix.`
  if (nearest !== null)
    return `The event has no debug id for this file, and the upload for release ${release} (${describe(nearest, zone)}) is for another distribution or project: ${inject}.`
  return `The event has no debug id for this file, and nothing was uploaded for release ${release}: ${inject}, and upload.`
}

function adviseUnknownId(debugId: string, release: string, nearest: string | null): string {
  const unknown = `No upload holds the debug id ${debugId.slice(0, 8)}…`
  if (release === '') return `${unknown}: upload the source maps of the build that runs.`
  if (nearest === null)
    return `${unknown}, and nothing was uploaded for release ${release}: upload the source maps of the build that runs.`
  return `${unknown} The nearest is the upload for release ${release} (${nearest}), of another build: upload from the build that is deployed.`
}

const describe = ({ uploadedAt, files }: { uploadedAt: number; files: number }, zone: string): string =>
  `${minuteIn(zone, uploadedAt)}, ${files} ${files === 1 ? 'file' : 'files'}`

const namedDist = (dist: string): string => (dist === '' ? 'no dist' : `dist “${dist}”`)
const namedDists = (dists: string[]): string => dists.slice(0, 3).map(namedDist).join(' and ')
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The path without host and query, which are long and the same for all files. */
const nameOf = (file: string): string =>
  `~/${(file.split(/[?#]/, 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\/?|^\//i, '')}`

/** What is known about the uploads for a file without a map. */
type MapSituation = {
  /** The newest upload for the release, in any distribution or project. */
  nearest: { uploadedAt: number; files: number } | null
  /** Whether the release, distribution and project of the event have an upload. */
  hasUpload: boolean
  /** Distributions and projects for which the file itself was uploaded. */
  dists: string[]
  projects: string[]
  /** The newest upload for the release that failed, unless one succeeded since. */
  failed: { step: string; detail: string } | null
}

export async function readMapSituation(viewer: Viewer, wanted: WantedMap): Promise<MapSituation> {
  const { release } = wanted
  if (release === '') return { nearest: null, hasUpload: false, dists: [], projects: [], failed: null }
  const [uploads, files, attempt] = await Promise.all([
    readUploads(viewer, release),
    readFiles(viewer, wanted),
    readAttempt(viewer, release),
  ])
  const own = files.filter(({ project_id }) => project_id === wanted.projectId)
  const names = new Map(viewer.projects.map(({ id, slug }) => [id, slug]))
  return {
    nearest: uploads[0] ? { uploadedAt: uploads[0].uploaded_at, files: uploads[0].file_count } : null,
    hasUpload: uploads.some(({ dist, project_id }) => dist === wanted.dist && project_id === wanted.projectId),
    dists: [...new Set(own.map(({ dist }) => dist))],
    projects: [...new Set(files.flatMap(({ project_id }) => names.get(project_id) ?? []))],
    failed: attempt?.state === 'error' ? { step: attempt.step, detail: attempt.detail } : null,
  }
}

const maxUploads = 200

function bundles({ control }: Viewer, release: string) {
  return control
    .bundleReleases()
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle_release.release', '=', release)
    .limit(maxUploads)
}

const readUploads = (viewer: Viewer, release: string) =>
  bundles(viewer, release)
    .select([
      'artifact_bundle.uploaded_at',
      'artifact_bundle.file_count',
      'artifact_bundle_release.dist',
      'artifact_bundle_project.project_id',
    ])
    .orderBy('artifact_bundle.uploaded_at', 'desc')
    .execute()

/** By URL, in any distribution and project of the release. */
const readFiles = (viewer: Viewer, { release, file }: WantedMap) =>
  bundles(viewer, release)
    .innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id')
    .select(['artifact_bundle_release.dist', 'artifact_bundle_project.project_id'])
    .where('artifact_file.url', 'in', fileAddresses(file))
    .execute()

const readAttempt = ({ control }: Viewer, release: string) =>
  control
    .uploadAttempts()
    .select(['state', 'step', 'detail'])
    .where('release', '=', release)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
