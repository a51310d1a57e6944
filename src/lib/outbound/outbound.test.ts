/** Servers listen on loopback, at a usual port and at an unusual one, and count who reaches them. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../../../test/start-name-server.ts'
import { checkTarget, createTargetRules } from './check-target.ts'
import { createOutbound } from './send-request.ts'

let hits: string[] = []
let reachedAddresses: (string | undefined)[] = []
const servers: Server[] = []
let usual: number
let unusual: number
let names: NameServer

const count: RequestListener = (request, response) => {
  hits.push(`${request.method} ${request.headers.host}${request.url}`)
  reachedAddresses.push(request.socket.localAddress)
  if (request.url === '/redirect')
    response.writeHead(302, { location: `http://127.0.0.2:${usual}/target` }).end('moved')
  else if (request.url === '/hangs') return
  else if (request.url === '/endless') response.end('x'.repeat(1_000_000))
  else response.writeHead(200, { 'x-made-by': 'test' }).end('ok')
}

async function listen(host: string, port: number): Promise<number | null> {
  const server = createServer(count)
  const isUp = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })
  if (!isUp) return null
  servers.push(server)
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : null
}

beforeAll(async () => {
  usual = 0
  for (let port = 8_200; usual === 0 && port < 9_000; port++) usual = (await listen('127.0.0.1', port)) ?? 0
  await listen('127.0.0.2', usual)
  await listen('::1', usual)
  unusual = (await listen('127.0.0.1', 0)) ?? 0
  names = await startNameServer((name, before) => {
    if (name === 'rebinds.example.org') return [before % 2 === 0 ? '127.0.0.1' : '127.0.0.2']
    if (name === 'both.example.org') return ['127.0.0.1', '10.0.0.1']
    if (name === 'metadata.example.org') return ['169.254.169.254']
    if (name.endsWith('.private.example.org')) return [name.replace('.private.example.org', '').replaceAll('-', '.')]
    return name.endsWith('example.org') ? ['127.0.0.1'] : []
  })
})
beforeEach(() => {
  hits = []
  reachedAddresses = []
})
afterAll(async () => {
  await names?.stop()
  await Promise.all(
    servers.map(server => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    }),
  )
})

const limits = { connectMs: 500, totalMs: 1_000, maxResponseBytes: 64 * 1024 }
const outboundOf = (allow: string[] = [], port = 8_000, publicUrl = 'https://hydrant.example') =>
  createOutbound({
    rules: createTargetRules({ allow, port, publicUrl }),
    resolve: hostname =>
      hostname === 'localhost' ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : names.resolve(hostname),
    limits,
  })
const post = (url: string) => ({ method: 'POST', url, headers: {}, body: '{}' })

/** `$` stands for the port of a listening server. */
const hostile = [
  'http://127.0.0.1:$/',
  'http://127.0.0.2:$/',
  'http://127.1:$/',
  'http://127.0.1:$/',
  'http://2130706433:$/',
  'http://0x7f000001:$/',
  'http://0x7f.1:$/',
  'http://0x7f.0x0.0x0.0x1:$/',
  'http://017700000001:$/',
  'http://0177.0.0.1:$/',
  'http://0177.0x0.0.01:$/',
  'http://127.000.000.001:$/',
  'http://0:$/',
  'http://0.0.0.0:$/',
  'http://[::]:$/',
  'http://[::1]:$/',
  'http://[0:0:0:0:0:0:0:1]:$/',
  'http://[::ffff:127.0.0.1]:$/',
  'http://[::ffff:7f00:1]:$/',
  'http://[0:0:0:0:0:ffff:7f00:0001]:$/',
  'http://[::127.0.0.1]:$/',
  'http://[64:ff9b::127.0.0.1]:$/',
  'http://[64:ff9b::7f00:1]:$/',
  'http://[2002:7f00:1::]:$/',
  'http://[2001:0:7f00:1::]:$/',
  'http://[fe80::1]:$/',
  'http://[fc00::1]:$/',
  'http://[fd12:3456:789a::1]:$/',
  'http://[ff02::1]:$/',
  'http://[2001:db8::1]:$/',
  'http://[3fff::1]:$/',
  'http://１２７.０.０.１:$/',
  'http://①②⑦.⓪.⓪.①:$/',
  'http://127。0。0。1:$/',
  'http://127%2e0%2e0%2e1:$/',
  'http://%31%32%37.0.0.1:$/',
  'http://localhost:$/',
  'http://LOCALHOST:$/',
  'http://localhost.:$/',
  'http://10.0.0.1:$/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.254/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://100.64.0.1/',
  'http://100.100.100.200/latest/meta-data/',
  'http://192.0.0.192/',
  'http://198.18.0.1/',
  'http://203.0.113.7/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://private.example.org:$/',
  'https://private.example.org:$/',
  'http://private.example.org.:$/',
  'http://both.example.org:$/',
  'http://metadata.example.org/latest/meta-data/',
  'http://10-1-2-3.private.example.org/',
  'http://192-168-0-9.private.example.org/',
  'http://user:password@127.0.0.1:$/',
  'http://public.example.org@127.0.0.1:$/',
  'http://127.0.0.1:$#@public.example.org/',
  'http://127.0.0.1:$\\@public.example.org/',
  'http:127.0.0.1:$/',
  'http:///127.0.0.1:$/',
  'http://127.0.0.1\t:$/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:$/',
  'gopher://127.0.0.1:$/_x',
  'data:text/plain,hello',
  'unix:/run/web.sock',
  'not a url',
  '',
]

test('there are at least 60 hostile URLs, and none reaches its target', async () => {
  expect(hostile.length).toBeGreaterThanOrEqual(60)
  const outbound = outboundOf()
  const reached: string[] = []
  for (const url of hostile.map(each => each.replace('$', String(usual)))) {
    const result = await outbound.send(post(url))
    if (result.ok || !/_refused$|_invalid$|own_address/.test(result.code))
      reached.push(`${url}: ${result.ok ? result.response.status : result.code}`)
  }
  expect(reached).toEqual([])
  expect(hits).toEqual([])
})

test('a name of this machine is refused before it is resolved, unless it is allowed', () => {
  const faultOf = (url: string, ...allow: string[]) => {
    const checked = checkTarget(createTargetRules({ allow, port: 8_000, publicUrl: 'https://hydrant.example' }), url)
    return checked.ok ? null : checked.code
  }
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost', 'localhost.localdomain', 'ip6-localhost'])
    expect([name, faultOf(`http://${name}/hook`)]).toEqual([name, 'address_refused'])
  expect(faultOf('http://localhost:9999/')).toBe('port_refused')
  expect(faultOf('http://localhost:8000/', 'localhost')).toBe('own_address')
  for (const allowed of ['localhost', '127.0.0.0/8', '::1'])
    expect(faultOf('http://localhost:9999/', allowed)).toBeNull()
  expect(faultOf('http://localhost.example.org/')).toBeNull()
})

test('a name that changes its address between check and connection gains nothing', async () => {
  const outbound = outboundOf(['127.0.0.1'])
  const results: unknown[] = []
  for (let round = 1; round <= 6; round++) {
    const result = await outbound.send(post(`http://rebinds.example.org:${usual}/`))
    results.push(result.ok ? result.response.status : result.code)
    expect(names.queries.get('rebinds.example.org')).toBe(round)
  }
  // Asked once per request: either the allowed address, to which the socket connects, or the other one, which is refused.
  expect(results).toEqual([200, 'address_refused', 200, 'address_refused', 200, 'address_refused'])
  expect(new Set(reachedAddresses)).toEqual(new Set(['127.0.0.1']))
})

test('a redirect is an answer and is not followed', async () => {
  const result = await outboundOf(['127.0.0.1']).send(post(`http://127.0.0.1:${usual}/redirect`))
  expect(result).toMatchObject({ ok: true, response: { status: 302, body: 'moved' } })
  expect(hits).toEqual([`POST 127.0.0.1:${usual}/redirect`])
})

test('an entry of the allow list lifts the address and port rules for what it names', async () => {
  const statusOf = async (allow: string[], url: string) => {
    const result = await outboundOf(allow).send(post(url))
    return result.ok ? result.response.status : result.code
  }
  const byAddress = `http://127.0.0.1:${unusual}/`
  const byName = `http://private.example.org:${unusual}/`
  expect(await statusOf([], byAddress)).toBe('port_refused')
  expect(await statusOf(['127.0.0.0/8'], byAddress)).toBe(200)
  expect(await statusOf(['127.0.0.0/8'], `http://[::ffff:127.0.0.1]:${unusual}/`)).toBe(200)
  expect(await statusOf(['10.0.0.0/8'], byAddress)).toBe('port_refused')
  expect(await statusOf(['127.0.0.0/8'], byName)).toBe(200)
  expect(await statusOf(['private.example.org'], byName)).toBe(200)
  expect(await statusOf(['*.example.org'], byName)).toBe(200)
  expect(await statusOf(['example.org'], byName)).toBe('port_refused')
  expect(await statusOf(['private.example.org'], byAddress)).toBe('port_refused')
})

test('our own port and our own public address are refused whatever is allowed', async () => {
  const codeOf = async (url: string, publicUrl = 'https://hydrant.example') => {
    const result = await outboundOf(['0.0.0.0/0', '::/0', '*.example.org'], usual, publicUrl).send(post(url))
    return result.ok ? result.response.status : result.code
  }
  expect(await codeOf(`http://127.0.0.1:${usual}/`)).toBe('own_address')
  expect(await codeOf(`http://[::1]:${usual}/`)).toBe('own_address')
  expect(await codeOf(`http://private.example.org:${usual}/`)).toBe('own_address')
  expect(await codeOf('https://hydrant.example/api/')).toBe('own_address')
  expect(await codeOf('https://hydrant.example.:443/api/')).toBe('own_address')
  expect(await codeOf(`http://127.0.0.1:${unusual}/`)).toBe(200)
})

test('time and size of an answer are bounded', async () => {
  const outbound = outboundOf(['127.0.0.1'])
  expect(await outbound.send(post(`http://127.0.0.1:${usual}/hangs`))).toMatchObject({ ok: false, code: 'timeout' })
  const endless = await outbound.send(post(`http://127.0.0.1:${usual}/endless`))
  expect(endless.ok && endless.response.body.length).toBe(limits.maxResponseBytes)
})

test('what is wrong with a server is said by its kind', async () => {
  const outbound = outboundOf(['127.0.0.1', 'nobody.example.net'])
  const codeOf = async (url: string) => {
    const result = await outbound.send(post(url))
    return result.ok ? result.response.status : result.code
  }
  expect(await codeOf('http://127.0.0.1:1/')).toBe('connection_failed')
  expect(await codeOf('http://nobody.example.net/')).toBe('dns_failed')
  expect(await codeOf(`https://127.0.0.1:${usual}/`)).toBe('tls_failed')
  const broken = { ...post(`http://127.0.0.1:${usual}/`), headers: { 'x-evil': 'a\r\nx-more: b' } }
  expect(await outbound.send(broken)).toMatchObject({ ok: false, code: 'request_invalid' })
})
