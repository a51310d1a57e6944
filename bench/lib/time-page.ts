import { Agent, request } from 'node:http'
import { createGunzip } from 'node:zlib'

/** Times are from the request's first byte sent; `contentMs` is when `content` had come; `html` is what a browser would have unpacked. */
export type TimedPage = { firstByteMs: number; contentMs: number; lastByteMs: number; html: string }

/** One connection that stays: what a page costs, without what a connection does. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

export function timePage(url: string, cookie: string, content = ''): Promise<TimedPage> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: 'text/html', 'accept-encoding': 'gzip' }
    const begun = performance.now()
    const asked = request(url, { agent, headers }, answer => {
      const firstByteMs = performance.now() - begun
      let html = ''
      let contentMs: number | null = null
      answer.on('error', reject)
      const text = answer.headers['content-encoding'] === 'gzip' ? answer.pipe(createGunzip()) : answer
      text.setEncoding('utf8')
      text.on('data', chunk => {
        html += chunk
        if (contentMs === null && html.includes(content)) contentMs = performance.now() - begun
      })
      text.on('error', reject)
      text.on('end', () => {
        const lastByteMs = performance.now() - begun
        if (answer.statusCode !== 200) return reject(new Error(`${url} answered ${answer.statusCode}`))
        if (contentMs === null) return reject(new Error(`${url} has no ${content}`))
        resolve({ firstByteMs, contentMs, lastByteMs, html })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}
