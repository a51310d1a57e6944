import { mayDo } from '#domain/access/permissions.ts'
import { readDeliveryLog } from '#domain/channels/read-delivery-log.ts'
import { recordDeliveryExport } from '#domain/channels/record-export.ts'
import { commandContext } from '#web/define-action.ts'
import { jsonLines } from '#web/json-lines.ts'
import { requireViewer } from '#web/viewer.ts'
import { sessionCheck } from '#web/while-allowed.ts'

/** The whole delivery log as JSON lines, oldest first. */
export async function GET(_request: Request, { params }: { params: Promise<{ org: string }> }): Promise<Response> {
  const viewer = await requireViewer((await params).org)
  // Answers of other servers are for those who can act on them.
  if (!mayDo(viewer.role, 'channel.create'))
    return new Response('Only owners and admins can export the delivery log.\n', { status: 403 })
  await recordDeliveryExport(await commandContext(viewer), { organizationId: viewer.organization.id })
  const day = new Date(viewer.now).toISOString().slice(0, 10)
  return jsonLines(`deliveries-${viewer.organization.slug}-${day}`, {
    route: '/[org]/settings/channels/export',
    entries: readDeliveryLog(viewer),
    isAllowed: await sessionCheck(viewer, { mayRead: role => mayDo(role, 'channel.create') }),
  })
}
