import type { ReleaseCommit } from '#domain/releases/list-release-commits.ts'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { Moment } from '#ui/time/moment.tsx'
import type { LoadedRelease } from './load-release.ts'

export function ReleaseCommits({ loaded: { commits, viewer } }: { loaded: LoadedRelease }) {
  if (commits.length === 0) return null
  const authors = new Set(commits.map(commit => commit.authorEmail || commit.authorName).filter(Boolean))
  const note =
    authors.size === 0
      ? String(commits.length)
      : `${commits.length} by ${authors.size} ${authors.size === 1 ? 'author' : 'authors'}`
  return (
    <Section id="commits" title="Commits" note={note}>
      <DataTable isStacked label="Commits" columns={['Commit', 'Message', 'Author', numeric('Files'), numeric('When')]}>
        {commits.map(commit => (
          <Row key={commit.position} commit={commit} now={viewer.now} />
        ))}
      </DataTable>
    </Section>
  )
}

function Row({ commit, now }: { commit: ReleaseCommit; now: number }) {
  const [subject = ''] = commit.message.split('\n', 1)
  return (
    <tr {...stacked.row} id={`commit-${commit.commitId.slice(0, 12)}`}>
      <td {...stacked.cell} className="mono" title={commit.repository}>
        {shorten(commit.commitId.slice(0, 12), 12)}
      </td>
      <td {...stacked.cell} className="grows">
        <bdi className="cut" title={shorten(commit.message, 500)}>
          {subject === '' ? <span className="t3">no message</span> : shorten(subject, 160)}
        </bdi>
      </td>
      <td {...stacked.cell} data-label="Author" className="t2">
        {shorten(commit.authorName || commit.authorEmail, 60)}
      </td>
      <td {...stacked.cell} data-label="Files" className="num">
        {commit.fileCount || '–'}
      </td>
      <td {...stacked.cell} data-label="When" className="num t2">
        <Ago at={commit.committedAt} now={now} />
      </td>
    </tr>
  )
}

/** Deploys of the release, latest first. */
export function ReleaseDeploys({ loaded: { deploys, viewer } }: { loaded: LoadedRelease }) {
  if (deploys.length === 0) return null
  const environments = new Set(deploys.map(({ environment }) => environment))
  return (
    <Section id="deploys" title="Deploys" note={`${deploys.length} to ${[...environments].slice(0, 5).join(', ')}`}>
      <DataTable
        isStacked
        label="Deploys"
        columns={['Environment', 'Name', 'Finished', { label: 'Ago', isNumber: true, isHidden: true }]}
      >
        {deploys.map(deploy => (
          <tr {...stacked.row} key={deploy.id} id={`deploy-${deploy.id}`}>
            <td {...stacked.cell} className="strong">
              {shorten(deploy.environment, 64)}
            </td>
            <td {...stacked.cell} data-label="Name" className="t2">
              {deploy.name === '' ? '–' : shorten(deploy.name, 80)}
            </td>
            <td {...stacked.cell} data-label="Finished" className="t2">
              <Moment at={deploy.finishedAt} />
            </td>
            <td {...stacked.cell} data-label="Ago" className="num t2">
              <Ago at={deploy.finishedAt} now={viewer.now} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Section>
  )
}
