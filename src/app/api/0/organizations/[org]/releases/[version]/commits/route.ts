import { apiNotFound } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { listReleaseCommits } from '#domain/releases/list-release-commits.ts'
import { findRelease } from '#domain/releases/list-releases.ts'

/** The commits of a release, newest first. */
export const GET = defineApiRoute({ needs: 'project:read' }, async ({ request, search, viewer, params }) => {
  const release = await findRelease(viewer, params.version ?? '')
  if (release === null) return apiNotFound()
  const page = readPage(search)
  const commits = (await listReleaseCommits(viewer, release)).slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(
    request,
    page,
    commits.map(commit => ({
      id: commit.commitId,
      message: commit.message,
      dateCreated: new Date(commit.committedAt).toISOString(),
      repository: { name: commit.repository },
      author: { name: commit.authorName, email: commit.authorEmail },
    })),
  )
})
