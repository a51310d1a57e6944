import { redirect } from 'next/navigation'
import { findHome } from '#queries/find-home.ts'
import { isSetUp } from '#queries/is-set-up.ts'
import { getRuntime } from '#runtime.ts'
import { findSignedIn } from '#web/session.ts'
import { NoOrganization } from './no-organization.tsx'
import { SignInHere } from './sign-in-here.tsx'

export default async function RootPage() {
  const { control } = getRuntime()
  if (!(await isSetUp(control))) redirect('/setup')
  const user = await findSignedIn()
  if (!user) return <SignInHere />
  const home = await findHome(control, user.id)
  if (home) redirect(`/${home}/issues`)
  return <NoOrganization email={user.email} />
}
