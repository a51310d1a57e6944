import type { ReactNode } from 'react'
import { Blank } from '#ui/blank.tsx'
import { SubmitButton } from '#ui/buttons.tsx'
import { Link } from '#ui/link.tsx'
import { Mark } from '#ui/mark.tsx'
import { SendForm } from '#ui/send/action-form.tsx'
import { setResponseStatus } from '#web/response-status.ts'
import { signOut } from './actions.ts'

/** The frame of the sign-in and setup pages. */
export function EntryCard({
  title,
  children,
  lede,
  note,
  isWide = false,
}: {
  title: string
  lede: string
  /** Below the form. */
  note?: ReactNode
  children: ReactNode
  isWide?: boolean
}) {
  return (
    <main className="entry">
      <div className={isWide ? 'entry-card wide' : 'entry-card'}>
        <header>
          <Mark size={32} />
          <div>
            <h1>{title}</h1>
            <p>{lede}</p>
          </div>
        </header>
        {children}
        {note ? <p className="entry-note">{note}</p> : null}
      </div>
    </main>
  )
}

/** Shown for missing pages. Another organization's pages look the same, so that their existence is not revealed. */
export function NotFoundCard() {
  return (
    <Blank
      isPage
      title="Page not found"
      actions={
        <Link className="btn" href="/">
          Go to issues
        </Link>
      }
      reference="404"
    >
      It may have been deleted, or it belongs to an organization that you are not a member of.
    </Blank>
  )
}

/** Renders the 404 page with its status, so that it works without JavaScript. */
export function NotFoundHere() {
  setResponseStatus(404)
  return <NotFoundCard />
}

/** The user is signed in but not a member of any organization. */
export function NoOrganization({ email }: { email: string }) {
  return (
    <main>
      <Blank
        isPage
        title="You’re not a member of an organization yet"
        actions={
          <SendForm action={signOut}>
            <SubmitButton look="">Sign out</SubmitButton>
          </SendForm>
        }
      >
        An owner can add you with <code>hydrant user add --email {email} --role member</code>.
      </Blank>
    </main>
  )
}
