import { defineApiRoute } from '#api/define-api-route.ts'
import { pageResponse, readPage } from '#api/pages.ts'
import { listMembers } from '#domain/members/list-members.ts'

/** The members of the organization; `?query=` searches name and email. */
export const GET = defineApiRoute({ needs: 'member:read' }, async ({ viewer, request, search }) => {
  const page = readPage(search)
  const wanted = (search.get('query') ?? '').toLowerCase()
  const members = (await listMembers(viewer)).filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(wanted),
  )
  const shown = members.slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(
    request,
    page,
    shown.map(({ id, name, email, role, joinedAt }) => ({
      id,
      email,
      name: name || email,
      user: { id, name, email, username: email, isActive: true },
      role,
      roleName: role,
      pending: false,
      expired: false,
      dateCreated: new Date(joinedAt).toISOString(),
      inviteStatus: 'approved',
    })),
  )
})
