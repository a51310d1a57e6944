import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { findHomeAddress } from '#web/find-home-address.ts'
import { safePath, secondFactorPath } from '#web/safe-path.ts'
import { findViewer } from '#web/viewer.ts'
import { AppFrame } from '../../app-frame.tsx'
import { NotFoundHere } from '../../entry-card.tsx'
import { SignInHere } from '../../sign-in-card.tsx'

/** For visitors without access, whose pages have no title of their own. */
export async function generateMetadata({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> {
  const { kind } = await findViewer((await params).org)
  return kind === 'viewer' ? {} : { title: kind === 'signed_out' ? 'Sign in' : 'Not found' }
}

export default async function OrganizationLayout({
  children,
  params,
}: {
  children: ReactNode
  params: Promise<{ org: string }>
}) {
  const admission = await findViewer((await params).org)
  if (admission.kind === 'signed_out') return <SignInHere />
  if (admission.kind === 'second_factor_missing')
    redirect(secondFactorPath(safePath((await headers()).get('x-hydrant-path'))))
  if (admission.kind === 'not_member') {
    const home = await findHomeAddress()
    if (home !== null) redirect(home)
    return (
      <main>
        <NotFoundHere />
      </main>
    )
  }
  return <AppFrame viewer={admission.viewer}>{children}</AppFrame>
}
