import { Lock } from 'lucide-react'
import type { Metadata } from 'next'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'

export const metadata: Metadata = { title: 'Not allowed' }

export default function Forbidden() {
  return (
    <main>
      <Blank
        isPage
        icon={<Lock className="i" aria-hidden="true" />}
        title="Your role doesn’t allow this"
        actions={
          <Link className="btn" href="/">
            Go to issues
          </Link>
        }
        reference="403"
      >
        Nothing was changed. Ask an owner or admin to do it, or to change your role.
      </Blank>
    </main>
  )
}
