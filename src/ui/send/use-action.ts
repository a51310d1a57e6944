'use client'
import { startTransition, useActionState, useEffect, useRef, useState } from 'react'
import type { TurnedAway } from '#lib/submission.ts'
import { deliver } from './deliver.ts'
import { stamp } from './losses.ts'

type Action<State> = (previous: State, form: FormData) => Promise<State | TurnedAway>
type Options = {
  /** Doing it twice is the same as doing it once, so the server keeps no result. */
  isRepeatable?: boolean
}

/**
 * The state of a form and its action, as with React's `useActionState`, for requests that may get lost: the state then stays what it
 * was, and a note offers a retry. The fourth value counts them, for whoever shows a change before its answer.
 */
export function useAction<State>(
  action: Action<State>,
  initial: Awaited<State>,
  { isRepeatable = false }: Options = {},
) {
  const [losses, setLosses] = useState(0)
  const dispatchAgain = useRef<(data: FormData) => void>(() => {})
  async function run(previous: Awaited<State>, data: FormData): Promise<Awaited<State>> {
    const again = () => startTransition(() => dispatchAgain.current(data))
    const delivery = await deliver({ data, send: () => action(previous, data), again, isRepeatable })
    if (!delivery.isLost) return delivery.answer as Awaited<State>
    startTransition(() => setLosses(count => count + 1))
    return previous
  }
  // The server renders the form with the action itself, which works without script.
  const isServer = typeof window === 'undefined'
  const [state, dispatch, isPending] = useActionState(isServer ? (action as typeof run) : run, initial)
  useEffect(() => {
    dispatchAgain.current = dispatch
  }, [dispatch])
  function submit(data: FormData): void {
    stamp(data)
    dispatch(data)
  }
  return [state, isServer ? dispatch : submit, isPending, losses] as const
}
