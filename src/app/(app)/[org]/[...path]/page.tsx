import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { decodePart } from '#lib/text.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { setResponseStatus } from '#web/response-status.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { NothingHere } from '../nothing-here.tsx'
import { missingPage } from './missing-pages.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Not found')

type Props = { params: Promise<{ org: string; path: string[] }> }

/** Any other address of the organization: pages of Sentry that have no counterpart explain themselves, the rest is not found. */
export default async function UnknownPage({ params }: Props) {
  const { org, path } = await params
  const viewer = await requireViewer(org)
  const { slug } = viewer.organization
  // `/acme/web/issues/7`, as in mails of older versions of Sentry.
  const [project, list, issue] = path
  if (list === 'issues' && issue && viewer.projects.some(each => each.slug === project))
    redirect(`/${slug}/issues/${encodeURIComponent(decodePart(issue))}`)
  const page = missingPage(path)
  if (!page) return <NothingHere organizationSlug={slug} kind="Page" name={`/${path.map(decodePart).join('/')}`} />
  setResponseStatus(404)
  return (
    <Blank
      isPage
      title={`Hydrant has no page for ${page.name}`}
      reference="404"
      actions={
        <Link className="btn primary" href={`/${slug}${page.href}`}>
          {page.label}
        </Link>
      }
    >
      This address belongs to Sentry. {page.instead}
    </Blank>
  )
}
