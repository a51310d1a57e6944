import { Agent } from 'node:http'
import { connect } from 'node:net'
import { type ClickHouseClientConfigOptions, ClickHouseLogLevel } from '@clickhouse/client'

const maxSockets = 32 // more than the engine runs in parallel: statements then wait in its queue, which is fair

/** Options for `createClient` to connect to the embedded engine's socket instead of a host and port. */
export function engineClientOptions(socketPath: string): ClickHouseClientConfigOptions {
  const agent = new Agent({ keepAlive: true, maxSockets })
  agent.createConnection = () => connect(socketPath)
  return {
    url: 'http://localhost',
    http_agent: agent,
    set_basic_auth_header: false, // the socket's file mode restricts access
    request_timeout: 600_000,
    log: { level: ClickHouseLogLevel.OFF }, // it would print queries; the caller gets errors anyway
  }
}
