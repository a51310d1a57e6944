import type { ReactNode } from 'react'
import { findHome, findSignedIn, findViewer } from '#web/viewer.ts'
import { AppFrame } from '../app-frame.tsx'
import { SignInHere } from '../sign-in-card.tsx'

/** The account belongs to no organization; the rail leads back to the first one. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  if (!(await findSignedIn())) return <SignInHere />
  const home = await findHome()
  const admission = home === null ? null : await findViewer(home)
  if (admission?.kind === 'viewer') return <AppFrame viewer={admission.viewer}>{children}</AppFrame>
  return <main className="content">{children}</main>
}
