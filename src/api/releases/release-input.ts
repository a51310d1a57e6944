import { z } from 'zod'
import type { NewCommit } from '#domain/releases/replace-commits.ts'
import type { SaveRelease } from '#domain/releases/save-release.ts'

const maxFieldChars = 1_000
const text = z.string().max(maxFieldChars).nullish()
/** Tools send times as ISO text or as seconds. */
export const moment = z
  .union([
    z.iso.datetime({ offset: true }).transform(value => Date.parse(value)),
    z.number().transform(seconds => seconds * 1000),
  ])
  .transform(ms => Math.round(ms))
  .nullish()

const commit = z.object({
  id: z.string().min(1),
  repository: z.string().nullish(),
  author_name: z.string().nullish(),
  author_email: z.string().nullish(),
  message: z.string().nullish(),
  timestamp: moment.catch(null),
  patch_set: z
    .array(
      z
        .object({ path: z.string().min(1), type: z.string() })
        .nullable()
        .catch(null),
    )
    .nullish(),
})
const refs = z.object({
  repository: z.string().nullish(),
  commit: z.string().min(1),
  previousCommit: z.string().nullish(),
})

const fields = z.object({
  projects: z.array(z.union([z.string(), z.number()])).nullish(),
  url: text,
  ref: text,
  dateStarted: moment,
  dateReleased: moment,
  commits: z.array(commit).nullish(),
  refs: z.array(refs).nullish(),
})
export const releaseChangeInput = fields
export const newReleaseInput = fields.extend({ version: z.string() })

export type ReleaseInput = z.output<typeof fields>

/** Converts a request body to a command. A ref without commits becomes one commit. */
export function readReleaseChange(given: ReleaseInput, now: number): Pick<SaveRelease, 'fields' | 'commits'> {
  const ref = given.ref ?? given.refs?.[0]?.commit
  return {
    fields: {
      url: given.url ?? undefined,
      ref: ref ?? undefined,
      startedAt: given.dateStarted ?? undefined,
      releasedAt: given.dateReleased ?? undefined,
    },
    commits: given.commits?.map(entry => readCommit(entry, now)) ?? given.refs?.map(entry => readRef(entry, now)),
  }
}

function readCommit(entry: z.output<typeof commit>, now: number): NewCommit {
  return {
    commitId: entry.id,
    repository: entry.repository ?? '',
    authorName: entry.author_name ?? '',
    authorEmail: entry.author_email ?? '',
    message: entry.message?.trim() ?? '',
    committedAt: entry.timestamp ?? now,
    fileCount: entry.patch_set?.length ?? 0,
    files: entry.patch_set?.flatMap(readFile) ?? [],
  }
}

/** Unknown change types count as modified. */
function readFile(file: { path: string; type: string } | null): NewCommit['files'] {
  if (file === null) return []
  return [{ path: file.path, type: file.type === 'A' || file.type === 'D' ? file.type : 'M' }]
}

function readRef({ commit, repository }: z.output<typeof refs>, now: number): NewCommit {
  const unknown = { authorName: '', authorEmail: '', message: '', committedAt: now, fileCount: 0, files: [] }
  return { commitId: commit, repository: repository ?? '', ...unknown }
}
