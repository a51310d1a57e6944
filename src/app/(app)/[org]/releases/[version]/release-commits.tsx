import type { ReleaseCommit } from '#queries/releases/list-release-commits.ts'
import { Ago } from '#ui/ago.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'
import type { LoadedRelease } from './load-release.ts'

export function ReleaseCommits({ loaded: { commits, viewer } }: { loaded: LoadedRelease }) {
  if (commits.length === 0) return null
  const authors = new Set(commits.map(commit => commit.authorEmail || commit.authorName).filter(Boolean))
  const note =
    authors.size === 0
      ? String(commits.length)
      : `${commits.length} by ${authors.size} ${authors.size === 1 ? 'person' : 'people'}`
  return (
    <Section id="commits" title="Commits" note={note}>
      <ScrollRegion className="tb-scroll" label="Commits">
        <table className="tb">
          <thead>
            <tr>
              <th scope="col">Commit</th>
              <th scope="col">Message</th>
              <th scope="col">Author</th>
              <th scope="col" className="num">
                Files
              </th>
              <th scope="col" className="num">
                When
              </th>
            </tr>
          </thead>
          <tbody>
            {commits.map(commit => (
              <Row key={commit.position} commit={commit} now={viewer.now} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
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
          {subject === '' ? <span className="t3">not told</span> : shorten(subject, 160)}
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
