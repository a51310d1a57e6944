import { Lock } from 'lucide-react'
import type { Permission } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { describeRefusal, type Refusal } from '#web/refuse.ts'
import { setResponseStatus } from '#web/response-status.ts'

export function ForbiddenCard({ title, text }: Refusal) {
  return (
    <Blank
      isPage
      icon={<Lock className="i" aria-hidden="true" />}
      title={title}
      actions={
        <Link className="btn" href="/">
          Go to issues
        </Link>
      }
      reference="403"
    >
      {text}
    </Blank>
  )
}

/** Replaces a page that the viewer's role may not open, with its status, so that it works without JavaScript. */
export async function ForbiddenHere({ viewer, permission }: { viewer: Viewer; permission: Permission }) {
  setResponseStatus(403)
  return <ForbiddenCard {...(await describeRefusal(viewer, permission))} />
}
