import { headers } from 'next/headers'
import { may } from '#domain/access/permissions.ts'
import { readAuditLog } from '#domain/audit/list-audit.ts'
import { recordAuditExport } from '#domain/audit/record-export.ts'
import { getRuntime } from '#runtime.ts'
import { jsonLines } from '#web/json-lines.ts'
import { originOf } from '#web/request-headers.ts'
import { requireViewer } from '#web/viewer.ts'
import { sessionCheck } from '#web/while-allowed.ts'

/** The whole audit log as JSON lines, with what `hydrant audit verify --file` needs. */
export async function GET(_request: Request, { params }: { params: Promise<{ org: string }> }): Promise<Response> {
  const viewer = await requireViewer((await params).org)
  if (!may(viewer.role, 'audit:read'))
    return new Response('Only owners and admins can export the audit log.\n', { status: 403 })
  const { control, clock } = getRuntime()
  const context = { db: control.db, actor: `user:${viewer.user.id}`, now: clock.now, origin: originOf(await headers()) }
  await recordAuditExport(context, { organizationId: viewer.organization.id })
  const day = new Date(viewer.now).toISOString().slice(0, 10)
  return jsonLines(`audit-${viewer.organization.slug}-${day}`, {
    route: '/[org]/settings/audit/export',
    entries: readAuditLog(viewer),
    isAllowed: await sessionCheck(viewer, { mayRead: role => may(role, 'audit:read') }),
  })
}
