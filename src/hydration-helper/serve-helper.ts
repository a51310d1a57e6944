import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HelperForm, readHelper } from './read-helper.ts'

const forms = new Map<string, HelperForm>([
  ['/hydrant-hydration.js', 'script'],
  ['/hydrant-hydration.mjs', 'module'],
])
/** Cached for an hour: the URL is stable, so fixes must arrive. */
const headers = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
}

/**
 * Serves the hydration helper from memory: customers' pages wait for it, so it must not wait for the web process. True if the request
 * was handled.
 */
export function createHelperPaths(): (req: IncomingMessage, res: ServerResponse) => boolean {
  const scripts = new Map<HelperForm, Buffer>()
  return (req, res) => {
    const form = forms.get((req.url ?? '').split('?', 1)[0] ?? '')
    if (form === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return false
    const script = scripts.get(form) ?? Buffer.from(readHelper(form))
    scripts.set(form, script)
    res.writeHead(200, { ...headers, 'content-length': script.length })
    res.end(req.method === 'HEAD' ? undefined : script)
    return true
  }
}
