type MissingPage = {
  /** What Sentry shows there. */
  name: string
  /** Where the same question is answered, or the next best page. */
  instead: string
  href: string
  label: string
}

const issues = { href: '/issues', label: 'Issues' }
const settings = { href: '/settings', label: 'Settings' }

const pages: Readonly<Record<string, MissingPage>> = {
  alerts: {
    name: 'this part of alerts',
    instead: 'All rules and incidents are on the Alerts page.',
    href: '/alerts',
    label: 'Alerts',
  },
  crons: { name: 'monitors', instead: 'Check-ins are received and counted, but not shown.', ...issues },
  monitors: { name: 'monitors', instead: 'Check-ins are received and counted, but not shown.', ...issues },
  dashboards: {
    name: 'dashboards',
    instead: 'Routes shows the speed and the errors of your pages.',
    href: '/routes',
    label: 'Routes',
  },
  profiling: {
    name: 'profiles',
    instead: 'A profiled span of a trace leads to its flame chart.',
    href: '/traces',
    label: 'Traces',
  },
  replays: {
    name: 'this part of replays',
    instead: 'All replays are on the Replays page.',
    href: '/replays',
    label: 'Replays',
  },
  metrics: {
    name: 'metrics',
    instead: 'Routes shows the measurements of your pages.',
    href: '/routes',
    label: 'Routes',
  },
  integrations: { name: 'integrations', instead: 'Tokens for builds and scripts are in the settings.', ...settings },
  billing: { name: 'billing', instead: 'There is nothing to pay.', ...settings },
  'user-feedback': {
    name: 'this part of feedback',
    instead: 'What users wrote is on the Feedback page.',
    href: '/feedback',
    label: 'Feedback',
  },
}

/** Sentry has moved some pages below `explore`. */
export function missingPage([first = '', second = '']: readonly string[]): MissingPage | null {
  const name = first === 'explore' ? second : first
  return Object.hasOwn(pages, name) ? (pages[name] ?? null) : null
}
