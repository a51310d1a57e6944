import type { ReleaseCommit } from '#domain/releases/list-release-commits.ts'
import { DataTable, numeric } from '#ui/data-table.tsx'
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
      <DataTable label="Commits" columns={['Commit', 'Message', 'Author', numeric('Files'), numeric('When')]}>
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
    <tr id={`commit-${commit.commitId.slice(0, 12)}`}>
      <td className="mono" title={commit.repository}>
        {shorten(commit.commitId.slice(0, 12), 12)}
      </td>
      <td className="grows">
        <bdi className="cut" title={shorten(commit.message, 500)}>
          {subject === '' ? <span className="t3">no message</span> : shorten(subject, 160)}
        </bdi>
      </td>
      <td className="t2">{shorten(commit.authorName || commit.authorEmail, 60)}</td>
      <td className="num">{commit.fileCount || '–'}</td>
      <td className="num t2">
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
        label="Deploys"
        columns={['Environment', 'Name', 'Finished', { label: 'Ago', isNumber: true, isHidden: true }]}
      >
        {deploys.map(deploy => (
          <tr key={deploy.id} id={`deploy-${deploy.id}`}>
            <td className="strong">{shorten(deploy.environment, 64)}</td>
            <td className="t2">{deploy.name === '' ? '–' : shorten(deploy.name, 80)}</td>
            <td className="t2">
              <Moment at={deploy.finishedAt} />
            </td>
            <td className="num t2">
              <Ago at={deploy.finishedAt} now={viewer.now} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Section>
  )
}
