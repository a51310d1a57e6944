import { ChevronDown } from 'lucide-react'
import type { Viewer } from '#domain/access/viewer.ts'
import { listEnvironments } from '#domain/events/list-environments.ts'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { attempt } from '#web/attempt.ts'
import { type RangeName, ranges } from './list-params.ts'

/** The choices that every list page offers. The URL carries them from page to page. */
type Picked = { projects: string[]; environment: string | undefined; range: RangeName }
/** `href` gives the page's URL after a choice. */
type Props = { viewer: Viewer; params: Picked; href: (change: Partial<Picked>) => string }

/** Menus for project, environment and time range. They hold links, so that they work without JavaScript. */
export async function Pickers({ viewer, params, href }: Props) {
  const environments = await attempt('environments', listEnvironments(viewer))
  return (
    <div className="pickers">
      <Picker
        name="Project"
        value={params.projects.length > 1 ? `${params.projects.length} projects` : (params.projects[0] ?? 'all')}
      >
        <Choice href={href({ projects: [] })} isOn={params.projects.length === 0} label="All projects" />
        {viewer.projects.map(project => {
          const isOn = params.projects.includes(project.slug)
          const projects = isOn
            ? params.projects.filter(each => each !== project.slug)
            : [...params.projects, project.slug]
          return <Choice key={project.slug} href={href({ projects })} isOn={isOn} label={project.slug} />
        })}
      </Picker>
      <Picker name="Environment" value={params.environment ?? 'all'} isOptional>
        <Choice href={href({ environment: undefined })} isOn={!params.environment} label="All environments" />
        {(environments.ok ? environments.value : []).map(environment => (
          <Choice
            key={environment}
            href={href({ environment })}
            isOn={params.environment === environment}
            label={environment}
          />
        ))}
      </Picker>
      <Picker name="Time" value={ranges[params.range].label} isBare>
        {(Object.keys(ranges) as RangeName[]).map(range => (
          <Choice key={range} href={href({ range })} isOn={params.range === range} label={ranges[range].label} />
        ))}
      </Picker>
    </div>
  )
}

type PickerProps = { name: string; value: string; isBare?: boolean; isOptional?: boolean; children: React.ReactNode }

function Picker({ name, value, isBare = false, isOptional = false, children }: PickerProps) {
  const label = (
    <>
      <span className={isBare ? 'sr' : 'k'}>{name}</span>
      <span className="cut">{value}</span>
      <ChevronDown className="i i-s" aria-hidden="true" />
    </>
  )
  return (
    <div className={isOptional ? 'opt' : undefined}>
      <Menu className="pick" label={label}>
        {children}
      </Menu>
    </div>
  )
}

function Choice({ href, isOn, label }: { href: string; isOn: boolean; label: string }) {
  return (
    <Link href={href} aria-current={isOn ? 'true' : undefined} className="cut">
      {label}
    </Link>
  )
}
