import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

export type HttpResponse = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/** A plain POST by `node:http`, because fetch would add headers and set a length for a chunked body. */
export function sendRequest(
  url: URL,
  headers: Record<string, string>,
  body: Buffer | string,
  method = 'POST',
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent }, response => {
      let text = ''
      response.on('data', chunk => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sending.on('error', reject)
    sending.end(body)
  })
}
