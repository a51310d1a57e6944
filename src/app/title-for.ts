import type { Metadata } from 'next'
import type { Viewer } from '#domain/access/viewer.ts'
import { findViewer } from '#web/viewer.ts'
import { pageTitle } from './page-title.ts'

/** The title of a page of an organization; the layout names what a visitor without access sees instead. */
export const listTitle = async (params: Promise<{ org: string }>, title: string): Promise<Metadata> =>
  titleFor((await params).org, () => [title])

/** The same for a page about one thing, which may not exist. */
export async function titleFor(
  org: string,
  find: (viewer: Viewer) => readonly string[] | null | Promise<readonly string[] | null>,
): Promise<Metadata> {
  const admission = await findViewer(org)
  return admission.kind === 'viewer' ? pageTitle(...((await find(admission.viewer)) ?? ['Not found'])) : {}
}
