/** Files and replays as the clients of Sentry read them. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, startApiWorld } from './api-world.ts'
import { fillPattern } from './fill-pattern.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world?.stop())

test('the attachments of an event have what clients require, and their hash is that of the download', async () => {
  const path = fillPattern('/api/0/projects/[org]/[project]/events/[event]/attachments', world.other)
  const listed = JSON.parse((await world.call('GET', path)).text) as {
    id: string
    size: number
    sha1: string
    dateCreated: string
  }[]
  expect(listed.length).toBeGreaterThan(0)
  for (const file of listed) {
    const download = await world.call('GET', `${path}/${file.id}?download=1`)
    expect(download.status).toBe(200)
    expect(file).toEqual({
      ...{ id: expect.any(String), event_id: world.other.event.event_id, name: expect.any(String) },
      ...{ type: 'event.attachment', size: Buffer.byteLength(download.text), mimetype: expect.any(String) },
      sha1: createHash('sha1').update(download.text).digest('hex'),
      headers: { 'Content-Type': expect.any(String) },
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  }
  // When each was sent, and not the last event of the issue, which changes.
  const sent = world.other.rows.attachments?.map(({ timestamp }) => new Date(timestamp).toISOString())
  for (const { dateCreated } of listed) expect(sent).toContain(dateCreated)
})

test('the replays of issues are lists of ids by issue', async () => {
  const count = (search: string) =>
    world.call('GET', `/api/0/organizations/other/replay-count?statsPeriod=90d&${search}`)
  const query = encodeURIComponent(`issue.id:[77,${world.strangerIssue}]`)
  const { status, text } = await count(`returnIds=true&query=${query}&data_source=discover&project=-1`)
  expect([status, JSON.parse(text)]).toEqual([200, { 77: expect.any(Array), [world.strangerIssue]: [] }])
  expect(JSON.parse((await count('')).text)).toEqual({ count: expect.any(Number) })
  expect((await count('returnIds=undefined')).status).toBe(400)
})
