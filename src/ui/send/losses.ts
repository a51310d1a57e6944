'use client'
/** The forms of this tab that were sent and got no answer. The note in the layout shows them (lost-note.tsx). */
import { useSyncExternalStore } from 'react'
import { submissionField } from '#lib/submission.ts'
import { createStore } from '../create-store.ts'
import type { LossKind } from './loss.ts'

export type Loss = {
  kind: LossKind
  data: FormData
  /** Sends the same data again, as the first time. */
  again: () => void
}

const losses = createStore<readonly Loss[]>([])
const none: readonly Loss[] = []
export const useLosses = (): readonly Loss[] => useSyncExternalStore(losses.subscribe, losses.get, () => none)
export const listLosses = losses.get

/** Adds it, or replaces what was said of the same data. */
export function putLoss(loss: Loss): void {
  losses.set([...losses.get().filter(({ data }) => data !== loss.data), loss])
}

export function dropLoss(data: FormData): void {
  if (losses.get().some(loss => loss.data === data)) losses.set(losses.get().filter(loss => loss.data !== data))
}

export const dropLosses = (): void => losses.set(none)

/** The element that data was read from, to keep or empty its fields. */
const forms = new WeakMap<FormData, HTMLFormElement>()
export const formOf = (data: FormData): HTMLFormElement | undefined => forms.get(data)
export const cameFrom = (data: FormData, form: HTMLFormElement): void => void forms.set(data, form)

/**
 * Sets the submission id. A user who presses the form's button instead of Retry resends the same content under the same id. Changed
 * content is a new submission.
 */
export function stamp(data: FormData): void {
  if (data.has(submissionField)) return
  const form = formOf(data)
  const earlier = losses.get().find(loss => form !== undefined && formOf(loss.data) === form)
  if (earlier) dropLoss(earlier.data)
  const id = earlier && isSame(earlier.data, data) ? earlier.data.get(submissionField) : null
  data.set(submissionField, typeof id === 'string' ? id : newId())
}

/** Sets a new id, because the server now ignores the old one. */
export const restamp = (data: FormData): void => data.set(submissionField, newId())

/** `randomUUID` exists on https and localhost only. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

const entriesOf = (data: FormData) =>
  [...data].filter(([name]) => name !== submissionField && !name.startsWith('$ACTION'))

/** Files are the same if they are one. */
export function isSame(a: FormData, b: FormData): boolean {
  const [left, right] = [entriesOf(a), entriesOf(b)]
  return (
    left.length === right.length &&
    left.every(([name, value], index) => name === right[index]?.[0] && value === right[index]?.[1])
  )
}
