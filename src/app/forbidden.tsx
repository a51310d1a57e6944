import { Lock } from 'lucide-react'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'

export default function Forbidden() {
  return (
    <main>
      <title>Not allowed · Hydrant</title>
      <Blank
        isPage
        icon={<Lock className="i" aria-hidden="true" />}
        title="Your role does not allow this"
        actions={
          <Link className="btn" href="/">
            Back to issues
          </Link>
        }
        reference="403"
      >
        Nothing was changed. An owner or admin of the organization can do it, or give you a larger role.
      </Blank>
    </main>
  )
}
