import { clipText } from '#lib/text.ts'
import { Blank } from '#ui/blank.tsx'
import { GetForm } from '#ui/get-form.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { setResponseStatus } from '#web/response-status.ts'
import styles from './nothing-here.module.css'

const searches = {
  issues: 'Search issues',
  traces: 'Search spans',
  logs: 'Search log lines',
  replays: 'Search replays',
  releases: 'Search releases',
  routes: 'Filter routes',
} as const

type Props = {
  organizationSlug: string
  /** What the URL names, like `Issue`. */
  kind: string
  name: string
  /** The list in which it would be, and the search that it offers. */
  list?: keyof typeof searches
  typed?: string
}

/**
 * A 404 within an organization: names what was looked for and offers a search. It reads the same for things of other organizations, so
 * that their existence is not revealed.
 */
export function NothingHere({ organizationSlug, kind, name, list = 'issues', typed = '' }: Props) {
  setResponseStatus(404)
  const href = `/${organizationSlug}/${list}`
  return (
    <Blank
      isPage
      title={`${kind} ${shorten(name, 80)} not found`}
      reference="404"
      actions={
        <>
          <search>
            <GetForm action={href} className={styles.search}>
              <input
                type="search"
                name="q"
                aria-label={searches[list]}
                placeholder={searches[list]}
                defaultValue={clipText(typed, 200)}
              />
              <button type="submit" className="btn primary">
                Search
              </button>
            </GetForm>
          </search>
          <Link className="btn" href={href}>
            All {list === 'logs' ? 'log lines' : list}
          </Link>
        </>
      }
    >
      It may have been deleted, it may be older than the time that events are kept, or you may not have access to it.
    </Blank>
  )
}
