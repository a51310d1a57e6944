import {
  BellRing,
  Boxes,
  ChartNoAxesGantt,
  ChevronsUpDown,
  CircleAlert,
  Flame,
  LogOut,
  MessageSquareText,
  Monitor,
  MonitorPlay,
  Moon,
  Route,
  ScrollText,
  SlidersHorizontal,
  Sun,
  Tag,
} from 'lucide-react'
import { CommandButton } from '#ui/commands/command-button.tsx'
import { keys } from '#ui/commands/keys.ts'
import { KeyHelp } from '#ui/keys/key-help.tsx'
import { Link } from '#ui/link.tsx'
import { Mark } from '#ui/mark.tsx'
import { NavLink } from '#ui/nav-link.tsx'
import { PaletteButton } from '#ui/palette/palette-button.tsx'
import { SendForm } from '#ui/send/action-form.tsx'
import { type Theme, themes } from '#web/theme.ts'
import { type TimeChoice, timeChoices } from '#web/time-zone.ts'
import { chooseTheme, chooseTimes, signOut } from '../../actions.ts'
import { Bell, FeedbackCount } from './bell.tsx'
import { ChoiceCommands } from './choice-commands.tsx'
import styles from './rail.module.css'
import { SignOutForm } from './sign-out-form.tsx'
import type { Unread } from './unread.ts'

type RailProps = {
  organization: { slug: string; name: string }
  /** The user's other organizations. */
  others: { slug: string; name: string }[]
  user: { name: string; email: string }
  theme: Theme
  times: TimeChoice
  unread: Unread
  /** The query with which the member opens a list, by its path. */
  defaults: Record<string, string>
}

export function Rail({ organization, others, user, theme, times, unread, defaults }: RailProps) {
  return (
    <aside className="rail" aria-label="Organization">
      <div className="rail-in">
        <Link className="brand" href={`/${organization.slug}/issues`} aria-label={`Hydrant ${organization.name}`}>
          <Mark />
          <span>Hydrant</span> {others.length === 0 ? <span className="org cut">{organization.name}</span> : null}
        </Link>
        {others.length === 0 ? null : <Switcher name={organization.name} others={others} />}
        <PaletteButton />
        <nav className="nav" aria-label="Main">
          {mainPages(organization.slug, defaults).map(({ path, href, label, Icon }) => (
            <NavLink key={path} href={path} to={href}>
              <Icon className="i" aria-hidden="true" />
              <span>{label}</span>
              {label === 'Feedback' ? <FeedbackCount unread={unread} /> : null}
            </NavLink>
          ))}
        </nav>
        <div className="rail-foot">
          <nav className="nav" aria-label="Your notifications">
            <Bell organizationSlug={organization.slug} unread={unread} />
          </nav>
          <KeyHelp />
          <div className="me">
            <span className="av" aria-hidden="true">
              {initials(user.name)}
            </span>
            <Link className="cut" href="/account" title={`${user.email}: account`}>
              {user.name}
            </Link>
            <ThemeButton theme={theme} />
            <ChoiceCommands name="times" label="Times" choices={timeChoices} current={times} choose={chooseTimes} />
            <SignOutForm action={signOut}>
              <CommandButton id="sign-out" label="Sign out" title="Sign out" className="icon-btn">
                <LogOut className="i" aria-hidden="true" />
              </CommandButton>
            </SignOutForm>
          </div>
        </div>
      </div>
    </aside>
  )
}

/** Without script, because it is on every page. */
function Switcher({ name, others }: { name: string; others: RailProps['others'] }) {
  return (
    <details className={styles.switcher}>
      <summary aria-label={`Organization: ${name}. Switch`}>
        <span className="cut">{name}</span>
        <ChevronsUpDown className="i i-s" aria-hidden="true" />
      </summary>
      <nav aria-label="Organizations">
        {others.map(({ slug, name: other }) => (
          <Link key={slug} href={`/${slug}/issues`} className="cut">
            {other}
          </Link>
        ))}
      </nav>
    </details>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words.at(0), words.length > 1 ? words.at(-1) : undefined]
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Cycles through system, light and dark. A form, so that it works without JavaScript. */
function ThemeButton({ theme }: { theme: Theme }) {
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const Icon = icons[theme]
  const label = `Theme: ${theme}. Change to ${next}`
  return (
    <SendForm action={chooseTheme}>
      <input type="hidden" name="theme" value={next} />
      <button type="submit" className="icon-btn" aria-label={label} title={label}>
        <Icon className="i" aria-hidden="true" />
      </button>
      <ChoiceCommands name="theme" label="Theme" choices={themes} current={theme} choose={chooseTheme} />
    </SendForm>
  )
}

/** The pages in the rail, the tab bar and the palette, with the keys that go there. A list opens with the view that the member has chosen. */
export function mainPages(organizationSlug: string, defaults: Readonly<Record<string, string>> = {}) {
  const pages = [
    { href: `/${organizationSlug}/issues`, label: 'Issues', Icon: CircleAlert, key: keys.goIssues },
    { href: `/${organizationSlug}/feedback`, label: 'Feedback', Icon: MessageSquareText, key: keys.goFeedback },
    { href: `/${organizationSlug}/traces`, label: 'Traces', Icon: ChartNoAxesGantt, key: keys.goTraces },
    { href: `/${organizationSlug}/logs`, label: 'Logs', Icon: ScrollText, key: keys.goLogs },
    { href: `/${organizationSlug}/replays`, label: 'Replays', Icon: MonitorPlay, key: keys.goReplays },
    { href: `/${organizationSlug}/profiles`, label: 'Profiles', Icon: Flame, key: keys.goProfiles },
    { href: `/${organizationSlug}/routes`, label: 'Routes', Icon: Route, key: keys.goRoutes },
    { href: `/${organizationSlug}/releases`, label: 'Releases', Icon: Tag, key: keys.goReleases },
    { href: `/${organizationSlug}/alerts`, label: 'Alerts', Icon: BellRing, key: keys.goAlerts },
    { href: `/${organizationSlug}/projects`, label: 'Projects', Icon: Boxes, key: keys.goProjects },
    { href: `/${organizationSlug}/settings`, label: 'Settings', Icon: SlidersHorizontal, key: keys.goSettings },
  ]
  return pages.map(page => {
    const query = defaults[page.href.split('/').at(-1) ?? '']
    return { ...page, path: page.href, href: query ? `${page.href}?${query}` : page.href }
  })
}
