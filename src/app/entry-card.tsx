import type { ReactNode } from 'react'
import { Blank } from '#ui/blank.tsx'
import { SubmitButton } from '#ui/buttons.tsx'
import { Link } from '#ui/link.tsx'
import { Mark } from '#ui/mark.tsx'
import { answerStatus } from '#web/answer-status.ts'
import { signOut } from './actions.ts'

/** The frame of the pages before one is inside: the mark, one sentence, one form. */
export function EntryCard({
  title,
  children,
  lede,
  isWide = false,
}: {
  title: string
  lede: string
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
      </div>
    </main>
  )
}

/** In place of a page that is not there. A stranger's organization and a thing that never was read the same. */
export function NotFoundCard() {
  return (
    <>
      <title>Not found · Hydrant</title>
      <Blank
        isPage
        title="There is nothing at this address"
        actions={
          <Link className="btn" href="/">
            Go to your issues
          </Link>
        }
        reference="404"
      >
        It may have been removed, kept no longer than its retention, or belong to an organization that you are not a
        member of.
      </Blank>
    </>
  )
}

/** 404, drawn: readable without script. */
export function NotFoundHere() {
  answerStatus(404)
  return <NotFoundCard />
}

/** Signed in, but nobody has added this person to an organization yet. */
export function NoOrganization({ email }: { email: string }) {
  return (
    <main>
      <Blank
        isPage
        title="You belong to no organization yet"
        actions={
          <form action={signOut}>
            <SubmitButton look="">Sign out</SubmitButton>
          </form>
        }
      >
        An owner can add you with <code>hydrant user add --email {email} --role member</code>.
      </Blank>
    </main>
  )
}
