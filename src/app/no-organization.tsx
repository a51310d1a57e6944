import { Blank } from '#ui/blank.tsx'
import { SubmitButton } from '#ui/submit-button.tsx'
import { signOut } from './actions.ts'

/** Signed in, but nobody has added this person to an organisation yet. */
export function NoOrganization({ email }: { email: string }) {
  return (
    <main>
      <Blank
        isPage
        title="You belong to no organisation yet"
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
