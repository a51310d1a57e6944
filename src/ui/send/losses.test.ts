import { beforeEach, expect, it } from 'vitest'
import { submissionField } from '#lib/submission.ts'
import { cameFrom, dropLosses, isSame, putLoss, stamp } from './losses.ts'

const form = {} as HTMLFormElement
const idOf = (data: FormData) => data.get(submissionField)

function written(text: string, from: HTMLFormElement | null = form): FormData {
  const data = new FormData()
  data.set('text', text)
  if (from) cameFrom(data, from)
  return data
}

beforeEach(dropLosses)

it('gives each submission its own id, which a retry keeps', () => {
  const data = written('hello')
  stamp(data)
  const id = idOf(data)
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  stamp(data)
  expect(idOf(data)).toBe(id)
  const next = written('hello')
  stamp(next)
  expect(idOf(next)).not.toBe(id)
})

it('knows the same content from the same form again after a loss, and other content is another submission', () => {
  const lost = written('hello')
  stamp(lost)
  putLoss({ kind: 'unsent', data: lost, again: () => {} })
  const same = written('hello')
  stamp(same)
  expect(idOf(same)).toBe(idOf(lost))
  putLoss({ kind: 'unsent', data: same, again: () => {} })
  const other = written('hello, world')
  stamp(other)
  expect(idOf(other)).not.toBe(idOf(lost))
})

it('a key pressed twice is two submissions', () => {
  const lost = written('e', null)
  stamp(lost)
  putLoss({ kind: 'unsent', data: lost, again: () => {} })
  const next = written('e', null)
  stamp(next)
  expect(idOf(next)).not.toBe(idOf(lost))
})

it('compares fields in order, with repeated names', () => {
  const [a, b] = [new FormData(), new FormData()]
  for (const data of [a, b]) for (const team of ['1', '2']) data.append('team', team)
  stamp(a)
  expect(isSame(a, b)).toBe(true)
  b.append('team', '3')
  expect(isSame(a, b)).toBe(false)
})
