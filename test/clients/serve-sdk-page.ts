/** A page of another origin with the real browser SDK and React, as their packages publish them: no bundler, an import map instead. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { root } from '../start-hydrant.ts'

const modules = '/node_modules/'
const shopModules = '/shop/'
const sentry = `${modules}@sentry/`

const imports: Record<string, string> = {
  '@sentry/browser': `${sentry}browser/build/npm/esm/prod/index.js`,
  '@sentry/core': `${sentry}core/build/esm/index.js`,
  '@sentry/core/browser': `${sentry}core/build/esm/browser.js`,
  '@sentry/browser-utils': `${sentry}browser-utils/build/esm/index.js`,
  '@sentry/feedback': `${sentry}feedback/build/npm/esm/index.js`,
  '@sentry/replay': `${sentry}replay/build/npm/esm/index.js`,
  '@sentry/replay-canvas': `${sentry}replay-canvas/build/npm/esm/index.js`,
  '@sentry/conventions/attributes': `${sentry}conventions/dist/attributes.mjs`,
  '@sentry/conventions/op': `${sentry}conventions/dist/op.mjs`,
  'web-vitals': `${modules}web-vitals/dist/web-vitals.js`,
  'error-boundary': `${shopModules}@sentry/react/build/esm/errorboundary.js`,
  react: '/cjs/react',
  'react-dom': '/cjs/react-dom',
  'react-dom/client': '/cjs/react-dom/client',
  scheduler: '/cjs/scheduler',
}

/** Where React's packages have what their index requires in production. */
const cjs: Record<string, string> = {
  react: 'react/cjs/react.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
}

export type SdkPage = { url: string; close(): Promise<void> }

/** `script` is a module of the page. */
export async function serveSdkPage(script: string): Promise<SdkPage> {
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title>
    <script type="importmap">${JSON.stringify({ imports })}</script></head>
    <body><h1>A shop</h1><div id="root"></div><script type="module">${script}</script></body></html>`
  const server = createServer((req, res) => {
    const path = decodeURIComponent((req.url ?? '/').split('?')[0] ?? '')
    answer(path, page).then(
      ({ type, body }) => {
        res.writeHead(200, {
          'content-type': `${type}; charset=utf-8`,
          'cache-control': path === '/' ? 'no-store' : 'max-age=3600',
          // Chromium's profiler is off unless the document asks for it.
          'document-policy': 'js-profiling',
        })
        res.end(body)
      },
      () => res.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

async function answer(path: string, page: string): Promise<{ type: string; body: string }> {
  if (path === '/') return { type: 'text/html', body: page }
  const type = 'text/javascript'
  if (path.includes('..')) throw new Error('outside')
  if (path.startsWith('/cjs/')) return { type, body: await readCommonJs(path.slice('/cjs/'.length)) }
  if (path.startsWith(modules)) return { type, body: await readFile(join(root, path), 'utf8') }
  if (!path.startsWith(shopModules)) throw new Error('nothing here')
  return {
    type,
    body: await readFile(join(root, 'examples/shop/node_modules', path.slice(shopModules.length)), 'utf8'),
  }
}

/** A CommonJS module as one that browsers import. */
async function readCommonJs(name: string): Promise<string> {
  const source = await readFile(join(root, 'node_modules', cjs[name] ?? 'nothing'), 'utf8')
  const required = [...new Set([...source.matchAll(/require\("([\w/-]+)"\)/g)].map(match => match[1] ?? ''))]
  const names = Object.keys(createRequire(join(root, 'package.json'))(name) as object).filter(key =>
    /^[a-z]\w*$/i.test(key),
  )
  return `${required.map((each, at) => `import r${at} from '${each}'`).join('\n')}
const known = { ${required.map((each, at) => `'${each}': r${at}`).join(', ')} }
const require = name => known[name], module = { exports: {} }, exports = module.exports, process = { env: { NODE_ENV: 'production' } }
;(function () {${source}})()
const all = module.exports
export default all
${names.map(key => `export const ${key} = all.${key}`).join('\n')}
`
}
