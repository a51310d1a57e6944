/** Sentry's own MCP server as a child process, called as an agent would: JSON-RPC lines over its pipes. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../start-hydrant.ts'

export type McpResult = { text: string; isError: boolean }
export type Mcp = {
  tools(): Promise<string[]>
  call(name: string, args: Record<string, unknown>): Promise<McpResult>
  stop(): Promise<void>
}
type Message = { id?: number; result?: Record<string, unknown>; error?: { message: string } }

export async function startMcp({ url, token }: { url: string; token: string }): Promise<Mcp> {
  const flags = [`--access-token=${token}`, `--host=${new URL(url).host}`, '--insecure-http', '--sentry-dsn=']
  const child = spawn(process.execPath, [`${root}/node_modules/@sentry/mcp-server/dist/index.js`, ...flags], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', chunk => (complaints += chunk))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const waiting = new Map<number, (message: Message) => void>()
  createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
  })
  let lastId = 0
  const write = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  async function call(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++lastId
    const response = new Promise<Message>(resolve => waiting.set(id, resolve))
    write({ id, method, params })
    const gone = ended.then(() => Promise.reject(new Error(`the MCP server has ended:\n${complaints.slice(-2_000)}`)))
    const { result, error } = await Promise.race([response, gone])
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'hydrant-test', version: '1' },
  })
  write({ method: 'notifications/initialized' })
  return {
    tools: async () => ((await call('tools/list', {})).tools as { name: string }[]).map(({ name }) => name),
    call: async (name, args) => {
      const { content, isError } = await call('tools/call', { name, arguments: args })
      return {
        text: (content as { text?: string }[]).map(part => part.text ?? '').join('\n'),
        isError: isError === true,
      }
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
