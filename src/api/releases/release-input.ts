import { z } from 'zod'
import type { NewCommit } from '#domain/releases/replace-commits.ts'
import type { SaveRelease } from '#domain/releases/save-release.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'
import { strictFields } from '../strict-fields.ts'

const maxFieldChars = 1_000
const maxSeconds = 253_402_300_799 // the last second of the year 9999
const text = z.string().max(maxFieldChars).nullish()
/** Tools send times as ISO text or as seconds. */
export const moment = z
  .union([
    z.iso.datetime({ offset: true }).transform(value => Date.parse(value)),
    z
      .number()
      .nonnegative()
      .max(maxSeconds)
      .transform(seconds => seconds * 1000),
  ])
  .transform(ms => Math.round(ms))
  .nullish()

const patch = { path: z.string().min(1), type: z.string().regex(/^[A-Z]\d{0,3}$/) }
const commit = z.strictObject(
  {
    id: z.string().min(1).max(maxFieldChars),
    repository: text,
    author_name: text,
    author_email: text,
    message: z.string().nullish(),
    timestamp: moment,
    patch_set: z.array(z.strictObject(patch, strictFields)).nullish(),
  },
  strictFields,
)
const refs = z.strictObject(
  { repository: text, commit: z.string().min(1).max(maxFieldChars), previousCommit: text },
  strictFields,
)

const fields = z.strictObject(
  {
    projects: z.array(z.union([z.string(), z.number()])).nullish(),
    url: text,
    ref: text,
    dateStarted: moment,
    dateReleased: moment,
    commits: z.array(commit).nullish(),
    refs: z.array(refs).nullish(),
    /** `sentry-cli releases archive` sends "archived". */
    status: z.literal('open', "releases can't be archived").nullish(),
  },
  strictFields,
)
/** `sentry-cli` repeats the version of the path, beside a new status. */
export const releaseChangeInput = fields.extend({ version: z.string().nullish() })
export const newReleaseInput = fields.extend({
  version: z.string().refine(isReleaseVersion, 'use one line of at most 250 characters'),
})

export type ReleaseInput = z.output<typeof releaseChangeInput>
export type NewReleaseInput = z.output<typeof newReleaseInput>

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
    files: entry.patch_set?.map(readFile) ?? [],
  }
}

/** Renames, copies and type changes in git count as modifications. */
const readFile = ({ path, type }: { path: string; type: string }): NewCommit['files'][number] => ({
  path,
  type: type === 'A' || type === 'D' ? type : 'M',
})

function readRef({ commit, repository }: z.output<typeof refs>, now: number): NewCommit {
  const unknown = { authorName: '', authorEmail: '', message: '', committedAt: now, fileCount: 0, files: [] }
  return { commitId: commit, repository: repository ?? '', ...unknown }
}
