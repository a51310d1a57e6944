/** A form that is sent again because its answer was lost: what the control database knows of it, on both engines. */
import { beforeEach, expect, test } from 'vitest'
import type { Control } from '#store/control/control.ts'
import {
  claimSubmission,
  finishSubmission,
  keptForMs,
  lostAfterMs,
  releaseSubmission,
  trimSubmissions,
  withdrawSubmission,
} from '#store/control/submissions.ts'
import { onEachEngine } from './on-each-engine.ts'

const now = 1_794_700_000_000

onEachEngine(({ newControl }) => {
  let control: Control
  beforeEach(async () => {
    control = await newControl()
  })
  const mine = { owner: 'user:ada', id: '0123456789abcdef0123456789abcdef' }
  const claim = (submission = mine, at = now) => claimSubmission(control.db, submission, at)

  test('one of many requests with the same id runs, and the others get its result', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim()))
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['first', ...Array(7).fill('running')])
    const result = { ok: true, token: 'sntrys_secret', at: new Date(now), ids: new Set([1, 2]), nothing: undefined }
    await finishSubmission(control.db, mine, result)
    expect(await claim()).toEqual({ kind: 'done', result })
  })

  test('the same id of someone else is another submission', async () => {
    await claim()
    await finishSubmission(control.db, mine, { ok: true })
    expect(await claim({ ...mine, owner: 'user:eve' })).toEqual({ kind: 'first' })
  })

  test('the table reveals neither the id nor the result', async () => {
    await claim()
    await finishSubmission(control.db, mine, { token: 'sntrys_secret' })
    const stored = JSON.stringify(await control.db.selectFrom('submission').selectAll().execute())
    expect(stored).not.toContain('sntrys_secret')
    expect(stored).not.toContain(mine.id)
  })

  test('one that changed nothing can be tried again, and one that is done stays done', async () => {
    await claim()
    await releaseSubmission(control.db, mine)
    expect(await claim()).toEqual({ kind: 'first' })
    await finishSubmission(control.db, mine, 'done')
    await releaseSubmission(control.db, mine)
    expect(await claim()).toEqual({ kind: 'done', result: 'done' })
  })

  test('one that has not arrived is withdrawn, so that it does nothing when it arrives late', async () => {
    expect(await withdrawSubmission(control.db, mine, now)).toBe('withdrawn')
    expect(await claim()).toEqual({ kind: 'withdrawn' })
    const other = { ...mine, id: 'f'.repeat(32) }
    await claim(other)
    expect(await withdrawSubmission(control.db, other, now)).toBe('running')
    await finishSubmission(control.db, other, 1)
    expect(await withdrawSubmission(control.db, other, now)).toBe('done')
  })

  test('one whose process was killed is unclear after a while, and never runs again', async () => {
    await claim()
    expect(await claim(mine, now + lostAfterMs - 1)).toEqual({ kind: 'running' })
    expect(await claim(mine, now + lostAfterMs)).toEqual({ kind: 'unclear' })
    // A clock that was set back.
    expect(await claim(mine, now - lostAfterMs)).toEqual({ kind: 'running' })
  })

  test('a day later it is gone', async () => {
    await claim()
    await claim({ ...mine, id: 'f'.repeat(32) }, now + 1)
    expect(await trimSubmissions(control.db, now + keptForMs)).toBe(0)
    expect(await trimSubmissions(control.db, now + keptForMs + 1)).toBe(1)
    expect(await claim({ ...mine, id: 'f'.repeat(32) })).toEqual({ kind: 'running' })
  })
})
