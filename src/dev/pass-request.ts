/** Passes a request to the next main, through the public port, where it waits until that one is up. */
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { isLoopback } from '#lib/peer-list.ts'

export type PublicAddress = { host: string; port: number }

/** The next main takes it for one of this machine, so it must be one. */
export function passRequest({ host, port }: PublicAddress, request: IncomingMessage, response: ServerResponse): void {
  if (!isLoopback(request.socket.remoteAddress ?? '')) return void response.destroy()
  response.shouldKeepAlive = false // the next request belongs to the next main
  const { method, url: path, headers } = request
  const passed = sendRequest({ host, port, method, path, headers: { ...headers, connection: 'close' }, agent: false })
  passed.on('response', answer => {
    const { connection: _, 'keep-alive': _timeout, ...own } = answer.headers
    response.writeHead(answer.statusCode ?? 502, own)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}
