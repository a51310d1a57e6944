/** What is known about the maps of one file that none was found for: what the doctor's sentence is made from. */
import { fileAddresses } from '#symbolicate/lookup/file-addresses.ts'
import type { WantedMap } from '#symbolicate/lookup/wanted-map.ts'
import type { Viewer } from '../viewer.ts'

export type MapSituation = {
  /** The newest upload for the release, in whatever distribution or project. */
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

function bundles({ control, organization }: Viewer, release: string) {
  return control.db
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_release', 'artifact_bundle_release.bundle_id', 'artifact_bundle.id')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle.organization_id', '=', organization.id)
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

/** Under its address, in any distribution and project of the release. */
const readFiles = (viewer: Viewer, { release, file }: WantedMap) =>
  bundles(viewer, release)
    .innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id')
    .select(['artifact_bundle_release.dist', 'artifact_bundle_project.project_id'])
    .where('artifact_file.url', 'in', fileAddresses(file))
    .execute()

const readAttempt = ({ control, organization }: Viewer, release: string) =>
  control.db
    .selectFrom('upload_attempt')
    .select(['state', 'step', 'detail'])
    .where('organization_id', '=', organization.id)
    .where('release', '=', release)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
