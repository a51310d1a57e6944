/** A project whose inbox contains every case that digest must handle, in as few records as possible. */
import { join } from 'node:path'
import { type Inbox, openInbox } from '#inbox/open-inbox.ts'
import { encodeSent, idOf, type Sent } from './envelopes.ts'
import type { Stage } from './open-stage.ts'

export type Scene = { projectId: number; folder: string; inbox: Inbox; sent: Sent[] }

let lastProjectId = 0

const firstFile: Sent[] = [
  { kind: 'event', id: '', attachmentBytes: 3_000 },
  { kind: 'spans', id: '', count: 4 },
  { kind: 'logs', id: '', count: 4 },
]
const secondFile: Sent[] = [{ kind: 'event', id: '', attachmentBytes: 0 }]

/** Two segments, so two batches; spans and logs of two days, so inserts with two partitions; an attachment; an event that is sent twice. */
export async function setScene({ dataDir, control }: Stage): Promise<Scene> {
  const projectId = ++lastProjectId
  await control.db
    .insertInto('project')
    .values({
      id: projectId,
      organization_id: 1,
      slug: `p${projectId}`,
      name: '',
      platform: '',
      is_internal: 0,
      last_issue_number: 0,
      first_event_at: null,
      created_at: 0,
    })
    .execute()
  const folder = join(dataDir, 'inboxes', String(projectId))
  const sent: Sent[] = []
  let inbox: Inbox | null = null
  for (const file of [0, 1]) {
    await inbox?.close()
    inbox = await openInbox(folder, () => undefined)
    const fresh = (file === 0 ? firstFile : secondFile).map((one, index) => ({
      ...one,
      id: idOf(projectId, file * 10 + index),
    }))
    // All at once: the log may begin a new segment after each sync, and every scene should have the same batches.
    const into = inbox
    await Promise.all([...fresh, ...sent.slice(0, 1)].map(one => append(into, projectId, one)))
    sent.push(...fresh)
  }
  if (!inbox) throw new Error('no inbox')
  return { projectId, folder, inbox, sent }
}

function append(inbox: Inbox, projectId: number, sent: Sent): Promise<void> {
  const head = { projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '127.0.0.1', userAgent: '' }
  return inbox.append({ head, body: encodeSent(sent, Date.now()) })
}
