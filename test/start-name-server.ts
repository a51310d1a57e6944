import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import type { ResolvedAddress } from '#lib/outbound/send-request.ts'

export type NameServer = {
  /** How often each name was asked for. */
  queries: Map<string, number>
  resolve(hostname: string): Promise<ResolvedAddress[]>
  stop(): Promise<void>
}

/** A real name server on loopback. `addressOf` gets how often the name was asked for before, so that an answer can change. */
export async function startNameServer(addressesOf: (name: string, before: number) => string[]): Promise<NameServer> {
  const socket = createSocket('udp4')
  const queries = new Map<string, number>()
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query)
    const before = queries.get(name) ?? 0
    queries.set(name, before + 1)
    socket.send(answer(query.subarray(0, end + 4), addressesOf(name, before)), peer.port, peer.address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    queries,
    resolve: async hostname => (await resolver.resolve4(hostname)).map(address => ({ address, family: 4 })),
    stop: () => new Promise(resolve => socket.close(() => resolve())),
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    const length = query[at] ?? 0
    labels.push(query.subarray(at + 1, at + 1 + length).toString())
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

/** Type A, class IN, a time to live of 0. */
function answer(question: Buffer, addresses: string[]): Buffer {
  const known = addresses.filter(isIPv4)
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(known.length === 0 ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(known.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const records = known.map(address =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([head, question.subarray(12), ...records])
}
