import { apiNotOffered } from '#api/api-error.ts'
import { getRuntime } from '#runtime.ts'
import { answerCallback } from '#web/auth.ts'
import { listProviders } from '#web/sso.ts'

type Props = { params: Promise<{ provider: string }> }

/** Where identity providers send people back to: the one path of better-auth that is reachable from outside. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { provider } = await params
  if (!listProviders(getRuntime().config).some(({ id }) => id === provider)) return apiNotOffered(request)
  return answerCallback(request)
}
