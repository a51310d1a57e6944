'use client'
/** How every action is called. A lost request ends here: the page and the draft stay, and a note offers a retry. */
import { unstable_isUnrecognizedActionError as isUnrecognized } from 'next/navigation'
import { startTransition } from 'react'
import { requestFormReset } from 'react-dom'
import { isTurnedAway, submissionField, submissionsPath, type TurnedAway } from '#lib/submission.ts'
import { isLost, plainFetch, probe, untilFound } from './connection.ts'
import { dropDraft, saveDraft } from './draft.ts'
import type { LossKind } from './loss.ts'
import { dropLoss, formOf, isSame, listLosses, putLoss, restamp } from './losses.ts'

type Sending<State> = {
  data: FormData
  send: () => Promise<State | TurnedAway>
  /** Calls the action with the same data again. */
  again: () => void
  /** Whether doing it twice is the same as doing it once. The server keeps no result of such an action. */
  isRepeatable: boolean
}

export type Delivery<State> = { isLost: true } | { isLost: false; answer: State }

export async function deliver<State>(sending: Sending<State>): Promise<Delivery<State>> {
  const { data, send, isRepeatable } = sending
  dropLoss(data)
  const lose = (kind: LossKind) => {
    putLoss({ kind, data, again: sending.again })
    const form = formOf(data)
    if (form) saveDraft(form)
    return { isLost: true } as const
  }
  // A probe before it, so that the note can say that nothing was changed.
  if ((isLost() || !navigator.onLine) && !(await probe())) {
    void untilFound()
    return lose('unsent')
  }
  try {
    const answer = await send()
    if (isTurnedAway(answer)) {
      if (answer.why === 'withdrawn') restamp(data)
      return lose(answer.why)
    }
    if (!isRefused(answer)) finish(data)
    return { isLost: false, answer }
  } catch (error) {
    if (isRedirect(error)) {
      finish(data)
      throw error
    }
    if (isUnrecognized(error)) return lose('updated')
    const wasAnswered = digestOf(error) !== ''
    if (isRepeatable) return lose(wasAnswered ? 'failed' : 'unanswered')
    lose(wasAnswered ? 'failed' : 'checking')
    void check(sending, wasAnswered ? 'failed' : 'not_arrived')
    return { isLost: true }
  }
}

/** Asks the server whether it has arrived. If so, the action is called again and gets the result of the first time. */
async function check<State>({ data, again }: Sending<State>, ifNot: LossKind): Promise<void> {
  // A retry puts another one in its place.
  const mine = listLosses().find(loss => loss.data === data)
  const isStillLost = () => mine !== undefined && listLosses().includes(mine)
  for (;;) {
    const state = await askWhetherArrived(data)
    if (!isStillLost()) return
    if (state === 'done') {
      const times = fetches.get(data) ?? 0
      fetches.set(data, times + 1)
      return times < mostFetches ? again() : putLoss({ kind: 'arrived', data, again })
    }
    if (state === 'withdrawn') {
      restamp(data)
      return putLoss({ kind: ifNot, data, again })
    }
    if (state === 'unclear') return putLoss({ kind: 'unclear', data, again })
    if (state === 'unknown') return putLoss({ kind: 'unanswered', data, again })
    if (state === 'unreachable') await untilFound()
    else await new Promise(resolve => setTimeout(resolve, runningPauseMs))
  }
}

const runningPauseMs = 1_000
/** How often the result of a submission that arrived was fetched without the user: a connection may lose every answer. */
const fetches = new WeakMap<FormData, number>()
const mostFetches = 2

async function askWhetherArrived(data: FormData): Promise<string> {
  const body = new FormData()
  body.set(submissionField, data.get(submissionField) ?? '')
  const response = await plainFetch(submissionsPath, { method: 'POST', body, redirect: 'manual' }).catch(() => null)
  if (response === null || response.status >= 500) return 'unreachable'
  // Signed out, before anybody has signed in, or the page of a proxy: then nothing is known.
  const answer: unknown = response.ok ? await response.json().catch(() => null) : null
  const { state } = (answer ?? {}) as { state?: string }
  return state ?? 'unknown'
}

/** Empties the form, as React does, unless something was typed since. */
function finish(data: FormData): void {
  const form = formOf(data)
  if (!form) return
  dropDraft(form)
  if (form.isConnected && hasKept(form, data)) startTransition(() => requestFormReset(form))
}

/** The pressed button is in `data` but isn't a field of the form, so it isn't compared. */
function hasKept(form: HTMLFormElement, data: FormData): boolean {
  const now = new FormData(form)
  const names = new Set(now.keys())
  const then = new FormData()
  for (const [name, value] of data) if (names.has(name)) then.append(name, value)
  return isSame(then, now)
}

/** The states of forms that were not accepted: `failed`, and what the authenticator app says. */
function isRefused(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  if ('kind' in answer) return answer.kind === 'failed' || answer.kind === 'refused' || answer.kind === 'scan'
  return 'version' in answer // the editor of rules gives its fields back
}

const digestOf = (error: unknown): string => (error instanceof Error && 'digest' in error ? String(error.digest) : '')
const isRedirect = (error: unknown): boolean => digestOf(error).startsWith('NEXT_REDIRECT')
