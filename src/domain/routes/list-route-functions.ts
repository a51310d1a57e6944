import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { plainUuid, spanIdOf } from '#domain/events/read-columns.ts'
import { readStacks } from '#domain/events/stacks/read-stacks.ts'
import { isBundled, isComponent, namedFrames, stackOf } from '#domain/profiles/name-frames.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'
import { type RouteFilter, routeRange } from './route-sums.ts'

/** A function of own code, by what profiles have seen of it on a route. Times are sums over all profiled spans. */
export type RouteFunction = {
  name: string
  file: string
  line: number
  /** In it and in what it called that is not own code. */
  selfMs: number
  totalMs: number
  spans: number
  /** The span with the most of it. */
  example: { traceId: string; spanId: string }
}

export type RouteFunctions = {
  /** Of all profiled spans together. */
  totalMs: number
  spans: number
  functions: RouteFunction[]
  /** The functions that are React components, the longest to render first. */
  components: RouteFunction[]
  /** Whether some functions still have the names of a bundler. */
  isMinified: boolean
}

const row = z.object({
  project: z.coerce.number(),
  build: z.string(),
  debug_id: z.string(),
  function_name: z.string(),
  file: z.string(),
  line: z.coerce.number(),
  position: z.coerce.number(),
  self: z.number(),
  total: z.number(),
  seen: z.number(),
  trace: z.string().transform(plainUuid),
  span: z.string().transform(spanIdOf),
  most: z.number(),
})
type Row = z.output<typeof row>

const mostRead = 500
const mostListed = 10

/** Where the time of a route goes, by its profiles; null if none was received. */
export async function listRouteFunctions(
  viewer: Viewer,
  symbolicator: Symbolicator,
  filter: RouteFilter,
  route: string,
): Promise<RouteFunctions | null> {
  const { params, bind } = boundParams()
  const { from, to } = routeRange(viewer.now, filter)
  const until = filter.to === undefined ? '' : `AND bucket < toDateTime(${bind(to / 1e3, 'UInt32')}, 'UTC')`
  const environment = filter.environment === undefined ? '' : `AND environment = ${bind(filter.environment, 'String')}`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT project_id AS project, any(release) AS build, debug_id, function_name, file, line, position,
        sum(self_ms) AS self, sum(total_ms) AS total, sum(spans) AS seen,
        argMax(trace_id, example_ms) AS trace, argMax(span_id, example_ms) AS span, max(example_ms) AS most
      FROM profile_sums
      WHERE {scope} AND route = ${bind(route, 'String')} AND bucket >= toDateTime(${bind(from / 1e3, 'UInt32')}, 'UTC') ${until} ${environment}
      GROUP BY project_id, debug_id, function_name, file, line, position
      ORDER BY function_name = '' DESC, total DESC LIMIT ${mostRead}`,
    params,
    schema: row,
  })
  const whole = rows.filter(({ function_name }) => function_name === '')
  if (whole.length === 0) return null
  const named = await nameRows(
    viewer,
    symbolicator,
    rows.filter(({ function_name }) => function_name !== ''),
  )
  const functions = [
    ...Map.groupBy(named, ({ name, file, line }) => `${name}\n${file}\n${name.startsWith('(') ? line : ''}`).values(),
  ].flatMap(addUp)
  const components = functions.filter(({ name }) => isComponent({ name, isOwn: true }))
  return {
    totalMs: whole.reduce((sum, { total }) => sum + total, 0),
    spans: whole.reduce((sum, { seen }) => sum + seen, 0),
    functions: functions
      .filter(({ selfMs }) => selfMs > 0)
      .sort((a, b) => b.selfMs - a.selfMs)
      .slice(0, mostListed),
    components: components.sort((a, b) => b.totalMs - a.totalMs).slice(0, mostListed),
    isMinified: functions.some(({ file }) => isBundled(file)),
  }
}

type NamedRow = Row & { name: string }

/** Source maps may have come since the sums were written. What they show to be a package's is left out. */
async function nameRows(viewer: Viewer, symbolicator: Symbolicator, rows: readonly Row[]): Promise<NamedRow[]> {
  const isKnown = ({ file }: Row): boolean => !isBundled(file)
  const known = rows.filter(isKnown).map(each => ({ ...each, name: each.function_name }))
  const builds = Map.groupBy(
    rows.filter(each => !isKnown(each)),
    ({ project, build, debug_id }) => JSON.stringify([project, build, debug_id]),
  )
  const read = await Promise.all(
    [...builds.values()].slice(0, mostBuilds).map(own => nameBuild(viewer, symbolicator, own)),
  )
  return [...known, ...read.flat()]
}

/** Each has a map of its own. More are old tabs. */
const mostBuilds = 20

async function nameBuild(viewer: Viewer, symbolicator: Symbolicator, rows: readonly Row[]): Promise<NamedRow[]> {
  const [first] = rows
  if (first === undefined) return []
  const frames = rows.map(({ function_name: name, file, line, position: column }) => ({
    name,
    file,
    line,
    column,
    isOwn: true,
  }))
  const files = first.debug_id === '' ? [] : [...new Set(rows.map(({ file }) => file))]
  const images = files.map(code_file => ({ type: 'sourcemap', code_file, debug_id: first.debug_id }))
  const data = JSON.stringify(stackOf(frames, first.build, images))
  const stack = JSON.parse((await readStacks(viewer, symbolicator, { projectId: first.project, data })).data)
  return namedFrames(frames, stack).flatMap(({ name, file, line, isOwn }, at) => {
    const own = rows[at]
    return isOwn && own ? [{ ...own, name, file, line }] : []
  })
}

/** The same function of several builds: its line may differ, but only that tells functions without a name apart. */
function addUp(rows: readonly NamedRow[]): RouteFunction[] {
  const most = rows.reduce((best, each) => (best && best.most >= each.most ? best : each), rows[0])
  if (most === undefined) return []
  const sum = (of: (each: NamedRow) => number): number => rows.reduce((total, each) => total + of(each), 0)
  return [
    {
      name: most.name,
      file: most.file,
      line: most.line,
      selfMs: sum(({ self }) => self),
      totalMs: sum(({ total }) => total),
      spans: sum(({ seen }) => seen),
      example: { traceId: most.trace, spanId: most.span },
    },
  ]
}
