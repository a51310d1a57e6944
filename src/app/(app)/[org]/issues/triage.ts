'use client'
/** What list, peek and toasts know of each other while a person works through issues. One page has one of each. */
import { useSyncExternalStore } from 'react'
import { createStore } from '#ui/create-store.ts'
import type { ActionState } from '#web/action-state.ts'

/** The list on the page. The peek changes issues through it, so that result and Undo outlive the peek's issue. */
type Board = {
  submit: (data: FormData) => void
  /** The issues came back: they are shown again, and the first of them gets focus. */
  expect: (issueIds: readonly number[]) => void
}
let board: Board | null = null

export const findBoard = (): Board | null => board

export function registerBoard(own: Board): () => void {
  board = own
  return () => {
    if (board === own) board = null
  }
}

/** The issue beside the list. */
type Peek = { issueId: number; close: () => void }
let peek: Peek | null = null

export const findPeek = (): Peek | null => peek

export function registerPeek(own: Peek): () => void {
  peek = own
  return () => {
    if (peek === own) peek = null
  }
}

const changed = createStore<ReadonlySet<number>>(new Set())
const nothing: ReadonlySet<number> = new Set()

/** The issues that were changed here: their rows leave the list and come back, while other rows keep their place. */
export const useChangedIssues = (): ReadonlySet<number> =>
  useSyncExternalStore(changed.subscribe, changed.get, () => nothing)

export const markChanged = (issueIds: readonly number[]): void => changed.set(new Set([...changed.get(), ...issueIds]))

/** A result that was announced on another page and is shown on this one. */
const carried = createStore<ActionState | null>(null)

export const useCarriedResult = (): ActionState | null =>
  useSyncExternalStore(carried.subscribe, carried.get, () => null)

export const carryResult = (result: ActionState): void => carried.set(result)
export const forgetResult = (): void => carried.set(null)

/** A change of this visit that can be undone. Undo steps back through them, the newest first. */
export type UndoStep = { token: string; message: string; kind: 'change' | 'comment' }
const steps = createStore<readonly UndoStep[]>([])
const noSteps: readonly UndoStep[] = []
const maxSteps = 50
const recorded = new Set<string>()

export const useUndoSteps = (): readonly UndoStep[] => useSyncExternalStore(steps.subscribe, steps.get, () => noSteps)

/** Once, even if its form still shows it after Undo. */
export function recordStep(step: UndoStep): void {
  if (recorded.has(step.token)) return
  recorded.add(step.token)
  steps.set([...steps.get(), step].slice(-maxSteps))
}

/** It is being undone, so that the next Undo is about the change before. */
export const takeStep = (taken: UndoStep): void => steps.set(steps.get().filter(({ token }) => token !== taken.token))
/** Its request was lost. */
export function putBack(step: UndoStep): void {
  takeStep(step)
  steps.set([...steps.get(), step])
}
export const forgetSteps = (): void => steps.set(noSteps)

/** Changes that the server has not answered yet. Undo waits for them, because it is about the latest one. */
const unanswered = createStore(0)
export const useUnanswered = (): number => useSyncExternalStore(unanswered.subscribe, unanswered.get, () => 0)

export function awaitAnswer(): () => void {
  unanswered.set(unanswered.get() + 1)
  return () => unanswered.set(unanswered.get() - 1)
}

/** How a button asks for Undo. */
let undoer: ((step: UndoStep) => void) | null = null
export const findUndoer = () => undoer

export function registerUndoer(own: (step: UndoStep) => void): () => void {
  undoer = own
  return () => {
    if (undoer === own) undoer = null
  }
}
