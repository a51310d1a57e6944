import { redirect } from 'next/navigation'
import { changeSubscription } from '#web/subscription.ts'

type Context = { params: Promise<{ token: string }> }

/** One-click unsubscribe of a mail client (RFC 8058): a POST without a session, signed by the link itself. */
export async function POST(_request: Request, { params }: Context): Promise<Response> {
  const isDone = await changeSubscription((await params).token, false)
  return isDone ? new Response('Unsubscribed') : new Response('Unknown link', { status: 404 })
}

/** A person who follows the link gets the page, which asks: scanners of mail open links too. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  redirect(`/unsubscribe/${encodeURIComponent((await params).token)}`)
}
