import { Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** Times are from the request's first byte sent; `html` is what a browser would have unpacked. */
export type TimedPage = { firstByteMs: number; lastByteMs: number; html: string }

/** One connection that stays: what a page costs, without what a connection does. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export function timePage(url: string, cookie: string): Promise<TimedPage> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/html', 'accept-encoding': 'gzip' }
    const begun = performance.now()
    const asked = request(url, { agent, headers }, answer => {
      const firstByteMs = performance.now() - begun
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const lastByteMs = performance.now() - begun
        if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}`))
        const bytes = Buffer.concat(chunks)
        const isPacked = answer.headers['content-encoding'] === 'gzip'
        resolve({ firstByteMs, lastByteMs, html: (isPacked ? gunzipSync(bytes) : bytes).toString() })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}
