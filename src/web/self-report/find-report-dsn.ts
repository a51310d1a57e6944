import { projectDsn } from '#domain/projects/project-keys.ts'
import { findInternalKey } from '#domain/projects/unscoped-projects.ts'
import { getRuntime } from '#runtime.ts'

/** Null if self-report is disabled, or before setup has created the internal project. */
export async function findReportDsn(): Promise<string | null> {
  const { config, control } = getRuntime()
  if (!config.selfReport) return null
  const key = await findInternalKey(control)
  return key && projectDsn(config.publicUrl, key.publicKey, key.projectId)
}
