/** The one public port. Sends each request to ingest, the operator paths, the hydration helper or the web child. */
import type { Server } from 'node:http'
import { createHelperPaths } from '#hydration-helper/serve-helper.ts'
import type { SupervisorContext } from './context.ts'
import { createFront } from './front/create-front.ts'
import { createWebPass } from './front/pass-to-web.ts'
import { respondWithFault } from './front/respond.ts'
import type { OpenIngest } from './open-ingest.ts'
import { createOperatorPaths } from './operator-paths.ts'

type Options = {
  ingest: OpenIngest
  notReady(): string | null
  listUnavailable(): string[]
}

export function createPublicServer(
  { config, paths, registry, web }: SupervisorContext,
  { ingest, notReady, listUnavailable }: Options,
): Server {
  const handleOperatorPath = createOperatorPaths({
    registry,
    metricsToken: config.metricsToken,
    notReady,
    listUnavailable,
  })
  const handleHelperPath = createHelperPaths()
  const passToWeb = createWebPass({
    socketPath: paths.webSocket,
    isUp: () => web?.current != null,
    whenUp: web?.firstUp ?? new Promise(() => undefined),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
  })
  return createFront({
    trustedProxies: config.trustedProxies,
    onRequest: (req, res) => {
      if (ingest.handler.handles(req)) {
        if (config.roles.has('ingest')) return ingest.handler.handle(req, res)
        // Without digest on this node, an acknowledged event would stay in its inbox forever.
        return respondWithFault(req, res, {
          status: 503,
          detail: 'This node does not accept events (HYDRANT_ROLES).',
        })
      }
      if (!handleOperatorPath(req, res) && !handleHelperPath(req, res)) passToWeb(req, res)
    },
  })
}
