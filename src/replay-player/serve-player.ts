/**
 * Serves the document that plays recordings. A recorded page is built in a frame of this document, inherits its policy, and may have
 * any style and no script: hence a document of its own, with a narrow policy and nothing else of ours in it (0069).
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

/** A dot, so that no organization has this address. */
export const playerPath = '/hydrant-player.html'
const scriptPath = '/hydrant-player.js'

type Parts = { script: Buffer; version: string; style: string }
let parts: Parts | undefined

/** rrweb and our script in one file. */
function readParts(): Parts {
  const folder = dirname(createRequire(import.meta.url).resolve('@rrweb/replay'))
  const rrweb = readFileSync(join(folder, 'replay.umd.min.cjs'), 'utf8').replace(
    /\n\/\/# sourceMappingURL=.*\s*$/,
    '\n',
  )
  const own = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'player.ts'), 'utf8')).replace(
    /^export \{\}$/m,
    '',
  )
  const script = Buffer.from(`${rrweb};(()=>{${own}})()\n`)
  const version = createHash('sha256').update(script).digest('hex').slice(0, 16)
  return { script, version, style: readFileSync(join(folder, 'style.min.css'), 'utf8') }
}

const ownStyle = `
html,body{margin:0;height:100%;overflow:hidden;background:transparent}
body>div{position:absolute;left:0;top:0;transform-origin:0 0}
body>div iframe{border:0;background:#fff}
i{position:absolute;z-index:9;box-sizing:border-box;border:2px solid #0e7490;box-shadow:0 0 0 3px #0e749055;border-radius:3px;pointer-events:none}
i[hidden]{display:none}
`

/** True if the request was handled. */
export function servePlayer(request: IncomingMessage, response: ServerResponse): boolean {
  const [path, query = ''] = (request.url ?? '').split('?', 2)
  if ((path !== playerPath && path !== scriptPath) || (request.method !== 'GET' && request.method !== 'HEAD'))
    return false
  parts ??= readParts()
  const { script, version, style } = parts
  if (path === scriptPath) {
    response.writeHead(200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Length': script.length,
    })
    response.end(request.method === 'HEAD' ? undefined : script)
    return true
  }
  const nonce = randomBytes(16).toString('base64')
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': playerPolicy(nonce, new URLSearchParams(query).get('images') === '1'),
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'no-referrer',
  })
  response.end(
    request.method === 'HEAD'
      ? undefined
      : `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Recorded page</title><style>${style}${ownStyle}</style></head>` +
          `<body><div><i hidden></i></div><script nonce="${nonce}" src="${scriptPath}?v=${version}"></script></body></html>`,
  )
  return true
}

/** `loadsImages`: the viewer asked to load images, stylesheets and fonts of the recorded site. */
export function playerPolicy(nonce: string, loadsImages: boolean): string {
  const site = loadsImages ? ' https: http:' : ''
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'unsafe-inline'${site}`,
    `img-src data:${site}`,
    `font-src data:${site}`,
    "media-src 'none'",
    "frame-src 'none'",
    "connect-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}
