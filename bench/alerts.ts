/**
 * How soon a new issue is told, and what counting rules cost.
 * - From the acknowledged event to the mail that the SMTP server has received, while 500 events/s arrive and 200 rules are evaluated.
 *   Its limit is a mail that is handed to the same server without Hydrant in between.
 * - CPU time of the engine for one minute's evaluation: 1,000 rules that count events and users of issues, over a million events.
 *   Its limit is that of plain counts by hash in the same windows.
 *   npm run bench -- alerts [--seconds 20] [--rules 200] [--events 1000000] [--counting 1000]
 */
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { createViewer } from '#domain/access/viewer.ts'
import { matchCounts } from '#domain/alerts/evaluate-counts.ts'
import { type Rule, ruleConfig } from '#domain/alerts/rule.ts'
import { startSmtp } from '../test/channels/start-smtp.ts'
import { openAcme } from '../test/contract/open-acme.ts'
import { startHydrant } from '../test/start-hydrant.ts'
import { envelopeTarget } from './lib/envelope-target.ts'
import { readNumber } from './lib/options.ts'
import { percentile } from './lib/percentile.ts'
import { report } from './lib/report.ts'
import { readProcessCpuMs } from './lib/thread-cpu.ts'
import { treeOf } from './lib/tree-memory.ts'

const seconds = readNumber('seconds', 20)
const ruleCount = readNumber('rules', 200)
const events = readNumber('events', 1_000_000)
const counting = readNumber('counting', 1_000)
const perSecond = 500
const eventsAtOnce = 100_000
/** Minutes that are judged; they are alike. */
const evaluations = 5
const windowMinutes = [1, 5, 15, 60]
/** New issues whose way to the mail server is measured. */
const probes = 20
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

await measureDelay()
await measureEvaluation()

async function measureDelay(): Promise<void> {
  const smtp = await startSmtp()
  const hydrant = await startHydrant({
    env: { HYDRANT_LOG_LEVEL: 'warn', HYDRANT_ROLES: 'ingest,jobs', SMTP_URL: smtp.url },
  })
  try {
    const account = ['--email', 'bench@example.com', '--password', 'correct horse battery']
    const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...account)
    const file = join(hydrant.dataDir, 'alerts.yaml')
    writeFileSync(file, rulesFile(ruleCount))
    await hydrant.cli('alerts', 'apply', file, '--org', 'acme')
    const { port, path } = envelopeTarget(dsn)
    const post = (type: string) => postError(`http://127.0.0.1:${port}${path}`, type)
    await post('Warm')
    await hydrant.drained()
    const acknowledged = new Map<string, number>()
    const watch = watchMails(smtp.mails)
    const load: Promise<unknown>[] = []
    const begun = performance.now()
    let sent = 0
    while (performance.now() - begun < seconds * 1_000) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond)
      for (; sent < due; sent++) load.push(post(`Load${sent % 20}`))
      const probe = acknowledged.size
      if (performance.now() - begun > (probe + 1) * ((seconds * 1_000) / (probes + 1)) && probe < probes) {
        await post(`Probe${probe}x`)
        acknowledged.set(`Probe${probe}x`, Date.now())
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await Promise.all(load)
    for (let waitedMs = 0; waitedMs < 60_000 && watch.seen.size < acknowledged.size; waitedMs += 50)
      await new Promise(resolve => setTimeout(resolve, 50))
    watch.stop()
    const bare = await measureBareMail(smtp)
    const delays = [...acknowledged].map(([probe, at]) => (watch.seen.get(probe) ?? Number.NaN) - at)
    if (delays.some(Number.isNaN)) throw new Error(`only ${watch.seen.size} of ${acknowledged.size} mails arrived`)
    report({
      name: 'event acknowledged → mail received, p95',
      value: percentile(delays, 0.95) / 1_000,
      unit: 's',
      limit: { name: 'a mail without Hydrant, p95', value: percentile(bare, 0.95) / 1_000 },
      promise: { of: 'value', is: 'at most', bound: 5 },
      note: `${delays.length} new issues, ${Math.round(sent / seconds)} events/s, ${ruleCount} rules; p50 ${(percentile(delays, 0.5) / 1_000).toFixed(2)} s`,
    })
  } finally {
    agent.destroy()
    await hydrant.stop()
    await smtp.stop()
  }
}

/** From the call until the server has the mail, over a connection that stays open. */
async function measureBareMail(smtp: { url: string; mails: Mails }): Promise<number[]> {
  const transport = createTransport(`${smtp.url}${smtp.url.includes('?') ? '&' : '?'}pool=true`)
  const watch = watchMails(smtp.mails)
  const delays: number[] = []
  for (let index = 0; index < probes; index++) {
    const subject = `Probe${index}x`
    const begun = Date.now()
    await transport.sendMail({ from: 'bench@example.com', to: 'bench@example.com', subject, text: 'bench' })
    while (!watch.seen.has(subject)) await new Promise(resolve => setTimeout(resolve, 1))
    delays.push((watch.seen.get(subject) ?? Number.NaN) - begun)
  }
  watch.stop()
  transport.close()
  return delays
}

/** Each of the first rules matches one probe, and the others match nothing that arrives. */
function rulesFile(count: number): string {
  return `channels:
  - { name: mail, kind: email, to: bench@example.com }
rules:
${Array.from({ length: count }, (_, index) => `  - { name: rule ${index}, when: [new-issue], filter: Probe${index}x, channels: [mail] }`).join('\n')}
`
}

function postError(url: string, type: string): Promise<void> {
  const event_id = crypto.randomUUID().replaceAll('-', '')
  const event = { platform: 'node', level: 'error', exception: { values: [{ type, value: 'bench' }] } }
  const body = `${JSON.stringify({ event_id })}\n{"type":"event"}\n${JSON.stringify(event)}\n`
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent }, response => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`the event was refused: ${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

type Mails = readonly { headers: ReadonlyMap<string, string> }[]

/** Notes when the mail about each probe was first seen, at most 10 ms after the server has received it. */
function watchMails(mails: Mails) {
  const seen = new Map<string, number>()
  let read = mails.length
  const timer = setInterval(() => {
    for (; read < mails.length; read++) {
      const probe = /Probe\d+x/.exec(mails[read]?.headers.get('subject') ?? '')?.[0]
      if (probe !== undefined && !seen.has(probe)) seen.set(probe, Date.now())
    }
  }, 10)
  return { seen, stop: () => clearInterval(timer) }
}

async function measureEvaluation(): Promise<void> {
  const now = Math.floor(Date.now() / 60_000) * 60_000
  const acme = await openAcme(now)
  try {
    // Not all at once: an insert holds its rows in memory.
    for (let start = 0; start < events; start += eventsAtOnce)
      await acme.telemetry.command(`
        INSERT INTO events (project_id, event_id, timestamp, received_at, weight, group_version, group_hash, level, type, title, user_hash, tags, data)
        SELECT ${acme.projectId}, generateUUIDv4(), fromUnixTimestamp64Milli(${now} - (number * 3600000) DIV ${events}),
          fromUnixTimestamp64Milli(${now} - 1 - (number * 3600000) DIV ${events}), 1, 1, leftPad(toString(number % 5000), 32, '0'),
          'error', 'Error', 'Error: bench', number % 20000 + 1, map(), '{}'
        FROM numbers(${start}, ${Math.min(eventsAtOnce, events - start)})`)
    let queries = 0
    const telemetry = {
      ...acme.telemetry,
      query: <Row>(query: Parameters<typeof acme.telemetry.query<Row>>[0]) => {
        queries += 1
        return acme.telemetry.query(query)
      },
    }
    const { user, organization, role, projects } = acme.viewer
    const viewer = createViewer({ user, organization, role, projects, now }, { control: acme.control, telemetry })
    const engines = treeOf(process.pid).filter(pid => pid !== process.pid)
    const engineCpuMs = () => engines.reduce((sum, pid) => sum + readProcessCpuMs(pid), 0)
    const rules = Array.from({ length: counting }, (_, index) => countingRule(index))
    const rounds: { engineS: number; wholeS: number }[] = []
    for (let round = 0; round < evaluations; round++) {
      queries = 0
      const [begun, cpuMs] = [performance.now(), engineCpuMs()]
      await matchCounts(viewer, rules, now, [])
      rounds.push({ engineS: (engineCpuMs() - cpuMs) / 1_000, wholeS: (performance.now() - begun) / 1_000 })
    }
    const plain: number[] = []
    for (let round = 0; round < evaluations; round++) {
      const cpuMs = engineCpuMs()
      for (const minutes of windowMinutes) await countByHash(acme, now, minutes)
      plain.push((engineCpuMs() - cpuMs) / 1_000)
    }
    const [first] = rounds
    const middle = rounds.toSorted((a, b) => a.engineS - b.engineS)[Math.floor(rounds.length / 2)]
    report({
      name: 'evaluation of counting rules, CPU time of the engine',
      value: middle?.engineS ?? Number.NaN,
      unit: 's',
      limit: { name: 'plain counts by hash', value: percentile(plain, 0.5) },
      promise: { of: 'value', is: 'at most', bound: 1 },
      note: `median of ${evaluations}, the first ${first?.engineS.toFixed(2)} s; ${counting} rules, ${events.toLocaleString('en-US')} events in the last hour, ${queries} queries; ${middle?.wholeS.toFixed(2)} s in all`,
    })
  } finally {
    await acme.stop()
  }
}

/** What the windows cost without any rule. */
function countByHash({ telemetry, projectId }: Awaited<ReturnType<typeof openAcme>>, now: number, minutes: number) {
  return telemetry.query({
    query: `
      SELECT toString(group_hash) AS hash, sum(weight) AS events, uniq(user_hash) AS users FROM events
      WHERE project_id = {project:UInt64} AND received_at >= fromUnixTimestamp64Milli({from:Int64})
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64} - 86400000)
      GROUP BY group_hash ORDER BY events DESC LIMIT 50000`,
    params: { project: projectId, from: now - minutes * 60_000 },
    schema: z.object({ hash: z.string() }),
  })
}

function countingRule(index: number): Rule {
  const minutes = windowMinutes[index % windowMinutes.length] ?? 60
  const of = index % 2 === 0 ? 'events' : 'users'
  return {
    ...{
      id: index + 1,
      organizationId: 1,
      projectId: null,
      name: `rule ${index}`,
      isOn: true,
      snoozedUntil: null,
      createdAt: 0,
    },
    ...{ channelIds: [], pagerIds: [] },
    config: ruleConfig.parse({ counts: [{ of, above: 500 + index, withinMs: minutes * 60_000 }] }),
  }
}
