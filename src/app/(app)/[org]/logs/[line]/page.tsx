import type { Metadata } from 'next'
import { contextKindsOf, findLog, listContext } from '#domain/logs/find-log.ts'
import { readLineAddress } from '#domain/logs/log-line.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { CopyButton, CopyLink } from '#ui/copy-button.tsx'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { Wire } from '#ui/wire.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../../panel.tsx'
import { listTitle } from '../../../../title-for.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { nameContext, viewContext, viewDetails } from '../line-details.ts'
import { LineLinks } from '../line-links.tsx'
import styles from '../logs.module.css'
import page from './line.module.css'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Log line')

type Props = {
  params: Promise<{ org: string; line: string }>
  searchParams: Promise<{ by?: string | string[] }>
}

const around = 50
const titleChars = 300
const labels = { host: 'Same host', trace: 'Same trace', project: 'Whole project' } as const

/** One line with the lines before and after it on its host or in its trace, whatever search it was found by. */
export default async function LinePage({ params, searchParams }: Props) {
  const { org, line: typed } = await params
  const viewer = await requireViewer(org)
  const address = readLineAddress(typed)
  const found = address ? await attempt('log line', findLog(viewer, address)) : { ok: true as const, value: null }
  if (found.ok && !found.value) return <NothingHere organizationSlug={org} kind="Log line" name={typed} list="logs" />
  const line = found.ok ? found.value : null
  const kinds = line ? contextKindsOf(line) : []
  const { by } = await searchParams
  const kind = kinds.find(each => each === by) ?? kinds[0] ?? 'project'
  return (
    <>
      <TopBar actions={<CopyLink />}>
        <Trail stops={[{ href: `/${org}/logs`, label: 'Logs' }]} here="Line in context" />
      </TopBar>
      {found.ok ? null : <FailedPanel what="This line" reference={found.reference} />}
      {line ? (
        <div className={page.page}>
          <h1 className={page.title}>
            <Level level={line.level} /> <bdi>{shorten(line.body, titleChars) || '(empty)'}</bdi>
          </h1>
          <p className="t3">
            <Moment at={line.atUs / 1_000} withMs /> <Wire side={line.side} hasWord />
          </p>
          {line.body.length > titleChars || line.body.includes('\n') ? (
            <Section title="Line" actions={<CopyButton text={line.body} label="Copy line" />}>
              <p className={styles.full}>
                <bdi>{showHidden(line.body)}</bdi>
              </p>
            </Section>
          ) : null}
          <nav className="views" aria-label="Context">
            {kinds.map(each => (
              <Link
                key={each}
                href={each === kinds[0] ? `/${org}/logs/${typed}` : `/${org}/logs/${typed}?by=${each}`}
                aria-current={each === kind ? 'page' : undefined}
              >
                {labels[each]}
              </Link>
            ))}
          </nav>
          <Panel what="Lines around this line">
            <Around viewer={viewer} line={line} kind={kind} />
          </Panel>
          <Panel what="Attributes">
            <Attributes viewer={viewer} line={line} />
          </Panel>
        </div>
      ) : null}
    </>
  )
}

type PartProps = {
  viewer: Awaited<ReturnType<typeof requireViewer>>
  line: NonNullable<Awaited<ReturnType<typeof findLog>>>
}

async function Around({ viewer, line, kind }: PartProps & { kind: 'host' | 'trace' | 'project' }) {
  const found = await attempt('lines around a line', listContext(viewer, line, kind, around))
  if (!found.ok) return <FailedPanel what="Lines around this line" reference={found.reference} />
  const { before, after } = found.value
  const lines = [...before, { ...line, chars: 0 }, ...after]
  return (
    <>
      <p className="t3">
        {formatWhole(lines.length)} {lines.length === 1 ? 'line' : 'lines'} of {nameContext(kind, line)}, oldest first.
        Filters are off.
      </p>
      <ol className={styles.context} aria-label="Lines around this line">
        {lines.map(each => {
          const view = viewContext(each, line)
          return (
            <li key={view.key} aria-current={view.isHere || undefined}>
              <span className={styles.time}>{view.offset}</span>
              <Level level={view.level} />
              {view.isHere ? (
                <bdi className="cut">{view.body}</bdi>
              ) : (
                <Link className="cut" href={`/${viewer.organization.slug}/logs/${view.key}?by=${kind}`}>
                  <bdi>{view.body || '(empty)'}</bdi>
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}

async function Attributes({ viewer, line }: PartProps) {
  const view = await viewDetails(viewer, line)
  return (
    <Section title="Attributes" note={String(view.attributes.length)}>
      <p className={styles.links}>
        <LineLinks view={view} />
      </p>
      <dl className={styles.attributes}>
        {view.attributes.map(({ name, value }) => (
          <div key={name}>
            <dt className="cut" title={name}>
              {name}
            </dt>
            <dd>
              <bdi title={value}>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
