import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { getRuntime } from '#runtime.ts'
import { safePath } from '#web/safe-path.ts'
import { listProviders } from '#web/sso.ts'
import { findSsoAddress } from '#web/start-sso.ts'

type Props = { params: Promise<{ provider: string }> }

/** Sends the browser to the provider. A link and not a form, because the policy of our pages lets forms go to this server only. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { provider } = await params
  if (!listProviders(getRuntime().config).some(({ id }) => id === provider)) notFound()
  const next = safePath(new URL(request.url).searchParams.get('next'))
  redirect((await findSsoAddress({ provider, next, headers: await headers() })) ?? '/login?error=sso_unreachable')
}
