'use client'
import { type ComponentProps, type SubmitEvent, startTransition, useEffect, useRef } from 'react'
import { deliver } from './deliver.ts'
import { keepDraft } from './draft.ts'
import { cameFrom, stamp } from './losses.ts'

type Props = Omit<ComponentProps<'form'>, 'action'> & { action: (form: FormData) => void }

/**
 * A form whose action comes from `useAction`. Script sends it instead of React, which empties a form after every answer, also of a
 * refusal or a lost request. This one is emptied by success only.
 */
export function ActionForm({ action, onSubmit, ref, ...props }: Props) {
  const own = useRef<HTMLFormElement>(null)
  useEffect(() => (own.current ? keepDraft(own.current) : undefined), [])
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    onSubmit?.(event)
    const { submitter } = event.nativeEvent
    // A button with the method `dialog` does nothing.
    if (event.defaultPrevented || isDialog(submitter)) return
    event.preventDefault()
    const data = readForm(event.currentTarget, submitter)
    startTransition(() => action(data))
  }
  function take(form: HTMLFormElement | null): void {
    own.current = form
    if (typeof ref === 'function') ref(form)
    else if (ref) ref.current = form
  }
  return <form {...props} ref={take} action={action} onSubmit={submit} />
}

/** Reads the fields and the pressed button. Remembers which form the data came from, to keep or empty its fields later. */
export function readForm(form: HTMLFormElement, submitter: HTMLElement | null): FormData {
  const data = new FormData(form, submitter)
  cameFrom(data, form)
  return data
}

const isDialog = (submitter: HTMLElement | null): boolean => submitter?.getAttribute('formmethod') === 'dialog'

type SendProps = Omit<Props, 'action'> & {
  /** Harmless to repeat, and without a result: the theme, or signing out. */
  action: (form: FormData) => Promise<unknown>
}

/** A form whose action has no state. */
export function SendForm({ action, ...props }: SendProps) {
  const isServer = typeof window === 'undefined'
  return <ActionForm {...props} action={isServer ? action : data => sendPlain(action, data)} />
}

/** Calls such an action from a command. */
export async function sendPlain(action: SendProps['action'], data: FormData): Promise<void> {
  stamp(data)
  const again = () => startTransition(() => sendPlain(action, data))
  await deliver({ data, send: () => action(data), again, isRepeatable: true })
}
