/** Two nodes that share PostgreSQL, a ClickHouse server and S3: what one of them is given, the other one shows. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { dataPaths } from '#supervisor/data-folder.ts'
import { type PostgresServer, startPostgres } from '../contract/start-postgres.ts'
import { type S3Server, startS3 } from '../contract/start-s3.ts'
import { livesOf } from '../faults/children.ts'
import { makeBundle } from '../make-bundle.ts'
import { readBuiltCart } from '../read-built-cart.ts'
import { type ClickhouseServer, startClickhouse } from '../start-clickhouse.ts'
import { type Hydrant, type Provisioned, startHydrant, until } from '../start-hydrant.ts'
import { asAda } from './ada.ts'
import { postEnvelope } from './post-envelope.ts'

let postgres: PostgresServer
let clickhouse: ClickhouseServer
let s3: S3Server
let nodeA: Hydrant
let nodeB: Hydrant
let made: Provisioned
let token: string

beforeAll(async () => {
  postgres = await startPostgres()
  clickhouse = await startClickhouse()
  s3 = await startS3()
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    CLICKHOUSE_URL: clickhouse.url,
    HYDRANT_BLOBS_URL: s3.url,
    HYDRANT_SECRET: 'a secret that both nodes were started with',
  }
  // Together: both find empty databases, and both want to create the tables.
  await Promise.all([
    startHydrant({ env }).then(node => {
      nodeA = node
    }),
    startHydrant({ env }).then(node => {
      nodeB = node
    }),
  ])
  made = await nodeA.init('--org', 'acme', '--project', 'web', ...asAda)
  token = JSON.parse(
    await nodeA.cli('token', 'add', '--org', 'acme', '--name', 'reader', '--scopes', 'org:read,event:write', '--json'),
  ).token
})
afterAll(async () => {
  await Promise.all([nodeA?.stop(), nodeB?.stop()])
  await s3?.stop()
  await clickhouse?.stop()
  await postgres?.stop()
})

const issueSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  substatus: z.string().nullish(),
  culprit: z.string().nullish(),
  count: z.coerce.number(),
  userCount: z.number(),
})
const eventSchema = z.object({
  eventID: z.string(),
  entries: z.array(z.object({ type: z.string(), data: z.unknown() })),
})
const stackSchema = z.object({
  values: z.array(
    z.object({
      stacktrace: z.object({
        frames: z.array(
          z.object({ function: z.string().nullable(), filename: z.string().nullable(), lineNo: z.number().nullable() }),
        ),
      }),
    }),
  ),
})

const request = (node: Hydrant, path: string, init: RequestInit = {}) =>
  fetch(`${node.url}/api/0/${path}`, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } })

async function read<Body>(node: Hydrant, path: string, schema: z.ZodType<Body>): Promise<Body> {
  const response = await request(node, path)
  const text = await response.text()
  expect(response.status, `${path}: ${text}`).toBe(200)
  return schema.parse(JSON.parse(text))
}

const listIssues = (node: Hydrant, words: string) =>
  read(node, `organizations/acme/issues/?query=${encodeURIComponent(words)}`, z.array(issueSchema))
const readEvent = (node: Hydrant, id: string) => read(node, `projects/acme/web/events/${id}/`, eventSchema)

/** The DSN, as an SDK has it that was configured with this node's address. */
function dsnOf(node: Hydrant): string {
  const dsn = new URL(made.dsn)
  dsn.host = new URL(node.url).host
  return dsn.href
}

const drained = () => Promise.all([nodeA.drained(), nodeB.drained()])

const errorOf = (name: string, user = 'nobody') => ({
  platform: 'node',
  timestamp: Date.now() / 1_000,
  user: { id: user },
  exception: {
    values: [
      {
        type: 'Error',
        value: `The ${name} shelf fell`,
        stacktrace: { frames: [{ filename: `/app/${name}.js`, function: name, lineno: 7, colno: 3, in_app: true }] },
      },
    ],
  },
})

test('both nodes become ready with the ClickHouse server, and start no engine of their own', async () => {
  for (const node of [nodeA, nodeB]) {
    await until(async () => (await (await fetch(`${node.url}/readyz`)).text()) === 'ready\n')
    await until(async () => (await node.metrics()).get('hydrant_engine_up') === 1)
    await until(() => livesOf(node, 'web').length > 0)
    expect(livesOf(node, 'engine')).toEqual([])
    const { telemetry, engineSocket } = dataPaths(node.dataDir)
    expect([existsSync(telemetry), existsSync(engineSocket)]).toEqual([false, false])
  }
})

test('an issue whose events arrive at both nodes is one issue, with the sum of events and the union of users', async () => {
  const users = { a: ['ada', 'grace', 'ada'], b: ['grace', 'linus', 'linus', 'margaret'] }
  await Promise.all([
    ...users.a.map(user => postEnvelope(dsnOf(nodeA), errorOf('winter', user))),
    ...users.b.map(user => postEnvelope(dsnOf(nodeB), errorOf('winter', user))),
  ])
  await drained()
  for (const node of [nodeA, nodeB])
    expect(await listIssues(node, 'winter')).toMatchObject([{ status: 'unresolved', count: 7, userCount: 4 }])
})

test('an event that one node received is read through the other', async () => {
  for (const [receiver, reader] of [
    [nodeA, nodeB],
    [nodeB, nodeA],
  ] as const) {
    const id = await postEnvelope(dsnOf(receiver), errorOf('spring'))
    await receiver.drained()
    const event = await readEvent(reader, id)
    expect(event).toMatchObject({ eventID: id })
    expect(JSON.stringify(event)).toContain('The spring shelf fell')
  }
})

test('an attachment that one node received is read through the other', async () => {
  const content = 'first line\nüber 🌊\n'
  const id = await postEnvelope(dsnOf(nodeA), errorOf('summer'), [content])
  await nodeA.drained()
  const path = `projects/acme/web/events/${id}/attachments/`
  const files = await read(nodeB, path, z.array(z.object({ id: z.string(), size: z.number() })))
  expect(files).toMatchObject([{ size: Buffer.byteLength(content) }])
  expect(await (await request(nodeB, `${path}${files[0]?.id}/?download=1`)).text()).toBe(content)
})

test('an issue resolved on one node is resolved on the other, where a later event reopens it', async () => {
  await postEnvelope(dsnOf(nodeA), errorOf('autumn'))
  await nodeA.drained()
  const [issue] = await listIssues(nodeA, 'autumn')
  const path = `organizations/acme/issues/${issue?.id}/`
  const statusOn = async (node: Hydrant) => {
    const { status, substatus } = await read(node, path, issueSchema)
    return { status, substatus }
  }
  const resolved = await request(nodeA, path, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ status: 'resolved' }),
  })
  expect(resolved.status).toBe(200)
  expect(await statusOn(nodeB)).toMatchObject({ status: 'resolved' })

  await postEnvelope(dsnOf(nodeB), errorOf('autumn'))
  await nodeB.drained()
  for (const node of [nodeA, nodeB])
    expect(await statusOn(node)).toEqual({ status: 'unresolved', substatus: 'regressed' })
})

test('source maps uploaded to one node map a stack that the other receives', async () => {
  const cart = readBuiltCart('vite', 'https://shop.example/cart.js')
  await uploadBundle(
    nodeA,
    makeBundle(
      [
        {
          path: 'files/cart.js',
          type: 'minified_source',
          url: '~/cart.js',
          content: cart.minified,
          sourcemap: 'cart.js.map',
        },
        { path: 'files/cart.js.map', type: 'source_map', url: '~/cart.js.map', content: cart.map },
      ],
      { release: 'shop@1.0.0' },
    ),
  )
  const id = await postEnvelope(dsnOf(nodeB), {
    platform: 'javascript',
    release: 'shop@1.0.0',
    exception: { values: [{ type: 'RangeError', value: 'minified', stacktrace: { frames: cart.frames } }] },
  })
  await nodeB.drained()
  for (const node of [nodeB, nodeA]) {
    const { entries } = await readEvent(node, id)
    const stack = stackSchema.parse(entries.find(({ type }) => type === 'exception')?.data)
    expect(stack.values[0]?.stacktrace.frames.at(-1)).toMatchObject({
      function: 'priceOf',
      filename: expect.stringMatching(/src\/price\.js$/),
      lineNo: 3,
    })
  }
  // Pages map stacks too; the name of the issue shows that digest had the maps when it grouped the event.
  expect((await listIssues(nodeB, 'minified'))[0]?.culprit).toContain('price.js')
})

async function uploadBundle(node: Hydrant, bytes: Buffer): Promise<void> {
  const sha1 = createHash('sha1').update(bytes).digest('hex')
  const headers = { Authorization: `Bearer ${made.token}` }
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), sha1)
  const sent = await request(node, 'organizations/acme/chunk-upload/', { method: 'POST', body: form, headers })
  expect(sent.status, await sent.text()).toBe(200)
  await until(async () => {
    const response = await request(node, 'organizations/acme/artifactbundle/assemble/', {
      method: 'POST',
      body: JSON.stringify({ checksum: sha1, chunks: [sha1], projects: ['web'], version: 'shop@1.0.0' }),
      headers: { ...headers, 'Content-Type': 'application/json' },
    })
    return ((await response.json()) as { state: string }).state === 'ok'
  })
}
