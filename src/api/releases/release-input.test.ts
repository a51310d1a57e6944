import { expect, it } from 'vitest'
import { readReleaseChange, releaseChangeInput } from './release-input.ts'

/** A body of `sentry-cli releases set-commits --local` (3.8). */
const body = {
  commits: [
    {
      patch_set: [
        { path: 'src/cart.ts', type: 'M' },
        { path: 'src/new.ts', type: 'A' },
        { path: 'src/old.ts', type: 'D' },
        { path: 'src/moved.ts', type: 'R100' },
      ],
      repository: 'acme/web',
      author_name: 'Ada',
      author_email: 'ada@example.com',
      timestamp: '2026-11-16T12:00:00+00:00',
      message: 'Sell carts\n',
      id: '9cca6d24b1f0a3c8',
    },
    { id: 'b1f0a3c89cca6d24', patch_set: null },
  ],
}

it('reads the files of a commit with their change type', () => {
  const { commits } = readReleaseChange(releaseChangeInput.parse(body), 0)
  expect(commits?.map(({ fileCount, files }) => [fileCount, files])).toEqual([
    [
      4,
      [
        { path: 'src/cart.ts', type: 'M' },
        { path: 'src/new.ts', type: 'A' },
        { path: 'src/old.ts', type: 'D' },
        { path: 'src/moved.ts', type: 'M' },
      ],
    ],
    [0, []],
  ])
})

it('refuses invalid times, files and states instead of leaving them out', () => {
  const commit = { id: 'a' }
  for (const wrong of [
    { commits: [{ ...commit, timestamp: 'soon' }] },
    { commits: [{ ...commit, patch_set: [{ path: 7, type: 'M' }] }] },
    { commits: [{ ...commit, patch_set: [null] }] },
    { dateReleased: -1 },
    { dateReleased: 1e15 },
    { status: 'archived' },
  ])
    expect(releaseChangeInput.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
})
