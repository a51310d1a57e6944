import type { Viewer } from '#domain/access/viewer.ts'
import { listRecentReleases } from '#domain/releases/list-recent-releases.ts'
import { fieldTables, type Language } from '#search/field-tables.ts'
import { fieldTerm } from '#search/search-term.ts'
import { findValue, withField, withValue } from '#search/with-field.ts'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { Picker } from './picker.tsx'

type Props = {
  viewer: Viewer
  /** The ids of the chosen projects; all of the viewer's without. */
  projectIds?: readonly number[] | undefined
  /** The page's search, and the page with another one. */
  search: { text: string; language: Language; href: (text: string) => string }
}

/** Edits `release:` in the search of the page: there is no second filter that could contradict it. */
export async function ReleasePicker({ viewer, projectIds, search: { text, language, href } }: Props) {
  const table = fieldTables[language]
  const found = await attempt('releases', listRecentReleases(viewer, projectIds))
  const releases = found.ok ? found.value : []
  const value = findValue(text, 'release', table)
  const choose = (label: string, release: string | undefined) => ({
    label,
    href: href(withValue(text, 'release', release, table)),
    isOn: value === (release ?? null),
  })
  const ends = [choose('All releases', undefined), choose('Latest release', 'latest')]
  const versions = releases.map(({ version }) => choose(shorten(version, 80), version))
  const chosen = releases.find(({ version }) => version === value) ?? releases[0]
  return (
    <Picker
      name="Release"
      value={value === null ? 'all' : value === 'several' ? 'several' : shorten(value, 40)}
      isOptional={value === null}
      choices={[
        ...ends,
        ...versions,
        ...(language === 'issues' && chosen?.firstSeen
          ? [
              {
                label: `First seen since ${shorten(chosen.version, 60)}`,
                ...sinceChoice(text, chosen.firstSeen, href),
              },
            ]
          : []),
      ]}
      commands={[...ends, ...versions]}
    />
  )
}

/** Issues that are newer than a release, whichever release they occur in. */
function sinceChoice(text: string, since: number, href: (text: string) => string) {
  const moment = new Date(since).toISOString()
  const term = { ...fieldTerm('firstSeen', [moment]), comparison: '>=' as const }
  return {
    href: href(withField(withValue(text, 'release', undefined), 'firstSeen', [term])),
    isOn: findValue(text, 'firstSeen') !== null && text.includes(moment),
  }
}
