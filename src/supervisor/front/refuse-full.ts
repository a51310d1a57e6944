/** The response to a request whose lane is full: why, and when to try again. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LaneFull, LaneName } from './lanes.ts'
import { respondWithFault, respondWithPage } from './respond.ts'

const sentences: Record<LaneName, Record<LaneFull, string>> = {
  page: {
    session: 'You have too many requests waiting.',
    address: 'Too many requests from your network are waiting.',
    total: 'Too many requests are waiting.',
  },
  upload: {
    session: 'You have too many uploads waiting.',
    address: 'Too many uploads from your network are waiting.',
    total: 'Too many uploads are waiting.',
  },
  download: {
    session: 'You have too many downloads waiting.',
    address: 'Too many downloads from your network are waiting.',
    total: 'Too many downloads are waiting.',
  },
  stream: {
    session: 'You have too many live pages open. Close one of them.',
    address: 'Too many live pages are open in your network.',
    total: 'Too many live pages are open.',
  },
}

/** A stream's slot becomes free when a page is closed, other slots within seconds. */
const retrySeconds: Record<LaneName, number> = { page: 2, upload: 2, download: 5, stream: 10 }

export function refuseFull(req: IncomingMessage, res: ServerResponse, lane: LaneName, of: LaneFull): void {
  const retryAfterSeconds = retrySeconds[lane]
  const status = of === 'session' ? 429 : 503 // the limit of this client, or of more than it
  const sentence = sentences[lane][of]
  // Pages that stream show the sentence and retry by themselves.
  const detail = lane === 'stream' ? sentence : `${sentence} Try again in ${retryAfterSeconds} seconds.`
  const isPage = !(req.url ?? '').startsWith('/api/') && (req.headers.accept ?? '').includes('text/html')
  const fault = { status, detail, retryAfterSeconds }
  if (isPage) respondWithPage(req, res, { ...fault, title: 'Hydrant is busy' })
  else respondWithFault(req, res, fault)
}
