import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { listEnvironments } from '#domain/events/list-environments.ts'
import type { Language } from '#search/field-tables.ts'
import { formatSpan } from '#ui/format.ts'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { type RangeName, ranges, type ScopeParams } from './list-params.ts'
import { Picker } from './picker.tsx'
import { ReleasePicker } from './release-picker.tsx'
import { SpanForm } from './span-form.tsx'

/** The choices that every list page offers. The URL carries them from page to page. */
type Picked = ScopeParams
/** `href` gives the page's URL after a choice. */
type Props = {
  viewer: Viewer
  params: Picked
  href: (change: Partial<Picked>) => string
  /** The page's search, in which the release is chosen. */
  search?: { text: string; language: Language; href: (text: string) => string }
}

/** Menus for project, environment and time range. They hold links, so that they work without JavaScript. */
export async function Pickers({ viewer, params, href, search }: Props) {
  const all = { href: href({ projects: [] }), isOn: params.projects.length === 0 }
  const projects = viewer.projects.map(({ slug }) => ({ slug, isOn: params.projects.includes(slug) }))
  return (
    <div className="pickers">
      <Picker
        name="Project"
        value={params.projects.length > 1 ? `${params.projects.length} projects` : (params.projects[0] ?? 'all')}
        choices={[
          { label: 'All projects', ...all },
          ...projects.map(({ slug, isOn }) => ({
            label: slug,
            href: href({ projects: isOn ? params.projects.filter(each => each !== slug) : [...params.projects, slug] }),
            isOn,
          })),
        ]}
        commands={[
          { label: 'all', ...all },
          ...projects.map(({ slug, isOn }) => ({ label: slug, href: href({ projects: [slug] }), isOn })),
        ]}
      />
      <EnvironmentPicker viewer={viewer} value={params.environment} href={environment => href({ environment })} />
      {search ? (
        <ReleasePicker viewer={viewer} projectIds={findProjectIds(viewer, params.projects)} search={search} />
      ) : null}
      <TimePicker
        value={params.span ?? params.range}
        href={range => href({ range: range ?? params.range, span: undefined })}
        spanHref={href({ span: placeholder })}
      />
    </div>
  )
}

/** Where the form puts the chosen moments. */
const placeholder = { from: 1, to: 2 }

type EnvironmentProps = {
  viewer: Viewer
  value: string | undefined
  href: (environment: string | undefined) => string
}

export async function EnvironmentPicker({ viewer, value, href }: EnvironmentProps) {
  const found = await attempt('environments', listEnvironments(viewer))
  const choices = (found.ok ? found.value : []).map(environment => ({
    label: environment,
    href: href(environment),
    isOn: value === environment,
  }))
  const all = { href: href(undefined), isOn: !value }
  return (
    <Picker
      name="Environment"
      value={value ?? 'all'}
      isOptional={!value}
      choices={[{ label: 'All environments', ...all }, ...choices]}
      commands={[{ label: 'all', ...all }, ...choices]}
    />
  )
}

type TimeProps = {
  value: RangeName | { from: number; to: number } | undefined
  href: (range: RangeName | undefined) => string
  /** The URL with any span. */
  spanHref: string
  /** Names the choice of no range at all. */
  allLabel?: string
}

export async function TimePicker({ value, href, spanHref, allLabel }: TimeProps) {
  const { zone } = await readTimeZone()
  const span = typeof value === 'object' ? value : null
  const choices = [
    ...(allLabel ? [{ label: allLabel, href: href(undefined), isOn: value === undefined }] : []),
    ...(Object.keys(ranges) as RangeName[]).map(range => ({
      label: ranges[range].label,
      href: href(range),
      isOn: value === range,
    })),
  ]
  return (
    <Picker
      name="Time"
      value={typeof value === 'object' ? formatSpan(value, zone) : value ? ranges[value].label : (allLabel ?? '')}
      isBare
      choices={choices}
    >
      <SpanForm href={spanHref} span={span} />
    </Picker>
  )
}
