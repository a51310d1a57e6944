import type { CommandContext } from '#domain/access/command-context.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { clipText } from '#lib/text.ts'

export type NewCommit = {
  commitId: string
  repository: string
  authorName: string
  authorEmail: string
  message: string
  committedAt: number
  /** Including files that are not stored. */
  fileCount: number
  files: { path: string; type: 'A' | 'M' | 'D' }[]
}

const maxCommits = 1_000 // per release, newest first
const maxMessageChars = 2_000
const maxNameChars = 200
const maxFiles = 2_000 // per commit: a larger commit moved or formatted everything, so its paths mean little
const maxReleaseFiles = 20_000 // per release, newest commits first
const maxPathChars = 500
const rowsAtOnce = 500

/** Replaces the commits of a release; newest first. */
export async function replaceCommits(
  { db }: CommandContext,
  releaseId: number,
  commits: readonly NewCommit[],
): Promise<void> {
  await db.deleteFrom('release_commit').where('release_id', '=', releaseId).execute()
  const rows = commits.slice(0, maxCommits).map((commit, position) => ({
    release_id: releaseId,
    position,
    commit_id: clipText(commit.commitId, maxNameChars),
    repository: clipText(commit.repository, maxNameChars),
    author_name: clipText(commit.authorName, maxNameChars),
    author_email: clipText(commit.authorEmail, maxNameChars),
    message: clipText(commit.message, maxMessageChars),
    committed_at: commit.committedAt,
    file_count: commit.fileCount,
  }))
  for (const chunk of chunksOf(rows, rowsAtOnce)) await db.insertInto('release_commit').values(chunk).execute()
  await replaceFiles(db, releaseId, commits.slice(0, maxCommits))
}

async function replaceFiles(db: CommandContext['db'], releaseId: number, commits: readonly NewCommit[]): Promise<void> {
  await db.deleteFrom('release_commit_file').where('release_id', '=', releaseId).execute()
  const rows = commits
    .flatMap(({ files }, position) =>
      // PostgreSQL rejects U+0000; duplicate paths count once.
      [...new Map(files.slice(0, maxFiles).map(file => [clipText(file.path.replaceAll('\0', ''), maxPathChars), file]))]
        .filter(([path]) => path !== '')
        .map(([path, { type }]) => ({ release_id: releaseId, position, path, type })),
    )
    .slice(0, maxReleaseFiles)
  for (const chunk of chunksOf(rows, rowsAtOnce)) await db.insertInto('release_commit_file').values(chunk).execute()
}
