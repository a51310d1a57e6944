'use server'
import { refresh } from 'next/cache'
import { notFound } from 'next/navigation'
import { changeSubscription } from '#web/subscription.ts'

/** Whoever holds the signed link may change what it names, and nothing else. */
export async function submitSubscription(form: FormData): Promise<void> {
  if (!(await changeSubscription(String(form.get('token') ?? ''), form.get('to') === 'on'))) notFound()
  refresh()
}
