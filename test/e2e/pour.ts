/** Sends a body that may never end, and stops when the response arrives. */
import { request } from 'node:http'

export function pour(
  url: URL,
  headers: Record<string, string>,
  first: string,
  chunk: Buffer,
  maxBytes: number,
): Promise<{ status: number; sentBytes: number }> {
  return new Promise((resolve, reject) => {
    let sentBytes = 0
    let isAnswered = false
    const sending = request(url, { method: 'POST', headers, agent: false }, response => {
      isAnswered = true
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, sentBytes }))
    })
    // After the response the server closes the connection, which is not an error.
    sending.on('error', error => (isAnswered ? undefined : reject(error)))
    function write(): void {
      while (!isAnswered && !sending.destroyed) {
        if (sentBytes >= maxBytes) return void sending.end()
        sentBytes += chunk.length
        if (!sending.write(chunk)) return void sending.once('drain', write)
      }
    }
    sending.write(first)
    write()
  })
}
