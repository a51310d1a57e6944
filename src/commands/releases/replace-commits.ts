import { clipText } from '#lib/clip-text.ts'
import type { CommandContext } from '../command-context.ts'

export type NewCommit = {
  commitId: string
  repository: string
  authorName: string
  authorEmail: string
  message: string
  committedAt: number
  fileCount: number
}

const maxCommits = 1_000 // of a release; the newest come first, and nobody reads further
const maxMessageChars = 2_000
const maxNameChars = 200
const rowsAtOnce = 500

/** The commits of a release, newest first, in place of those of before. */
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
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await db
      .insertInto('release_commit')
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
}
