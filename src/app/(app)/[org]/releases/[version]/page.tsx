import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { findRelease, findShortVersion } from '#domain/releases/list-releases.ts'
import { decodePart } from '#lib/text.ts'
import { releaseHref } from '#web/release-href.ts'
import { requireViewer } from '#web/viewer.ts'
import { titleFor } from '../../../../title-for.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { readReleaseParams } from '../search-params.ts'
import { loadRelease } from './load-release.ts'
import { ReleaseScreen } from './release-screen.tsx'

type Props = {
  params: Promise<{ org: string; version: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** Cached per request: the page and its title need it. */
const readRelease = cache(findRelease)

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, version } = await params
  const name = decodePart(version)
  return titleFor(org, async viewer => ((await readRelease(viewer, name)) ? [name, 'Releases'] : null))
}

/** Finds a release by its version. A short version redirects if it is unambiguous. */
export default async function ReleasePage({ params, searchParams }: Props) {
  const { org, version } = await params
  const viewer = await requireViewer(org)
  const name = decodePart(version)
  const release = await readRelease(viewer, name)
  // Its numbers are of its whole life; the scope of the list is for the way back.
  const listed = readReleaseParams(await searchParams)
  if (release) return <ReleaseScreen loaded={await loadRelease(viewer, release)} listed={listed} />
  const fullVersion = await findShortVersion(viewer, name)
  if (fullVersion !== null) redirect(releaseHref(org, fullVersion))
  return <NothingHere organizationSlug={org} kind="Release" name={name} list="releases" typed={name} />
}
