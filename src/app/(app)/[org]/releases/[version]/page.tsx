import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { findRelease, findShortVersion } from '#domain/releases/list-releases.ts'
import { decodePart } from '#lib/text.ts'
import { releaseHref } from '#web/release-href.ts'
import { requireViewer } from '#web/viewer.ts'
import { pageTitle } from '../../../../page-title.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { loadRelease } from './load-release.ts'
import { ReleaseScreen } from './release-screen.tsx'

type Props = { params: Promise<{ org: string; version: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return pageTitle(decodePart((await params).version), 'Releases')
}

/** Finds a release by its version. A short version redirects if it is unambiguous. */
export default async function ReleasePage({ params }: Props) {
  const { org, version } = await params
  const viewer = await requireViewer(org)
  const name = decodePart(version)
  const release = await findRelease(viewer, name)
  if (release) return <ReleaseScreen loaded={await loadRelease(viewer, release)} />
  const fullVersion = await findShortVersion(viewer, name)
  if (fullVersion !== null) redirect(releaseHref(org, fullVersion))
  return <NothingHere organizationSlug={org} kind="Release" name={name} list="releases" typed={name} />
}
