import { redirect } from 'next/navigation'
import { findDefaultOrganization, isSetUp } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { findSignedIn } from '#web/viewer.ts'
import { NoOrganization } from './entry-card.tsx'
import { SignInHere } from './sign-in-card.tsx'

export default async function RootPage() {
  const { control } = getRuntime()
  if (!(await isSetUp(control))) redirect('/setup')
  const user = await findSignedIn()
  if (!user) return <SignInHere />
  const home = await findDefaultOrganization(control, user.id)
  if (home) redirect(`/${home}/issues`)
  return <NoOrganization email={user.email} />
}
