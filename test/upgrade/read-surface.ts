/** What a reader with a token sees of an organization, through addresses that no version may change. */

type Reader = { url: string; token: string }
type Issue = {
  id: string
  shortId: string
  title: string
  status: string
  count: string
  userCount: number
  [field: string]: unknown
}
type Release = { version: string; [field: string]: unknown }

export type Surface = Record<string, unknown>
/** What stands beside a recorded folder. Token and secret open nothing but that. */
export type RecordedFolder = {
  token: string
  secret: string
  dsn: string
  /** Ids of events that were accepted and not yet counted. */
  pending: { held: string; sealed: string[] }
  before: Surface
}

const all = 'statsPeriod=3000d&per_page=100'

type Get = (path: string) => Promise<unknown>

const readerOf = ({ url, token }: Reader): Get => {
  return async path => {
    const response = await fetch(`${url}/api/0/${path}`, { headers: { Authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}

/** The event count of each issue by title: one request, for a test that waits for events. Rows are stored before they are counted. */
export async function listIssueCounts(reader: Reader): Promise<Map<string, number>> {
  const issues = (await readerOf(reader)(`organizations/acme/issues/?query=&sort=new&${all}`)) as Issue[]
  return new Map(issues.map(({ title, count }) => [title, Number(count)]))
}

export async function readSurface(reader: Reader): Promise<Surface> {
  const get = readerOf(reader)
  const issues = ((await get(`organizations/acme/issues/?query=&sort=new&${all}`)) as Issue[]).sort(
    (a, b) => Number(a.id) - Number(b.id),
  )
  const surface: Surface = {}
  for (const issue of issues) surface[`issue ${issue.shortId}`] = await readIssue(get, issue)
  for (const [dataset, fields] of datasets) {
    const asked = fields.map(field => `field=${encodeURIComponent(field)}`).join('&')
    const { data } = (await get(`organizations/acme/events/?dataset=${dataset}&${asked}&${all}`)) as { data: object[] }
    surface[dataset] = data.map(row => JSON.stringify(row)).sort()
  }
  const releases = (await get('organizations/acme/releases/')) as Release[]
  for (const { version } of releases)
    surface[`release ${version}`] = {
      commits: await get(`organizations/acme/releases/${encodeURIComponent(version)}/commits/`),
      deploys: await get(`organizations/acme/releases/${encodeURIComponent(version)}/deploys/`),
    }
  surface.members = ((await get('organizations/acme/members/')) as { email: string; role: string }[]).map(
    ({ email, role }) => `${email} ${role}`,
  )
  surface.keys = ((await get('projects/acme/web/keys/')) as { public: string }[]).map(key => key.public)
  return surface
}

const datasets: [string, string[]][] = [
  ['errors', ['id', 'title', 'release', 'issue', 'user']],
  ['spans', ['id', 'span.op', 'span.duration', 'trace']],
  ['logs', ['id', 'message', 'severity']],
]

async function readIssue(get: Get, { id }: Issue): Promise<unknown> {
  const path = `organizations/acme/issues/${id}/`
  const { title, status, count, userCount, priority, assignedTo, statusDetails, firstSeen, lastSeen } = (await get(
    path,
  )) as Issue
  const latest = (await get(`${path}events/latest/`)) as { id: string; entries: unknown }
  return {
    ...{ title, status, count, userCount, priority, assignedTo, statusDetails, firstSeen, lastSeen },
    latest: { id: latest.id, entries: latest.entries },
    activity: await get(`${path}activities/`),
    reports: await get(`${path}user-reports/`),
  }
}
