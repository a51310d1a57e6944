import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { sendRequest } from '../../test/send-request.ts'
import type { EngineMemory } from './engine-driver.ts'
import { createEngineServer, nameSystemError } from './engine-server.ts'
import type { StatementQueue } from './statement-queue.ts'

test.each([
  ['Error: ENOSPC: no space left on device, write', '243'],
  ['EDQUOT: disk quota exceeded, write', '243'],
  ['Error: EIO: i/o error, write', '75'],
  ['EMFILE: too many open files, open', '75'],
])('a file that can’t be written (%s) is not the fault of rows', (message, code) => {
  expect(parseError(nameSystemError(message))).toMatchObject({ code, message: expect.stringContaining(message) })
})

test('any other error gets the general code', () => {
  for (const message of ['Error: ended', 'Engine: EIO: x'])
    expect(parseError(nameSystemError(message))).toMatchObject({ code: '1002' })
})

const memory: EngineMemory = { engineBytes: 1e9, statementBytes: 1e9, spillBytes: 1e9, cacheBytes: 1e6 }

test('an insert whose rows can’t be written to a file is answered with the code of that', async () => {
  const folder = join(tmpdir(), 'hydrant-no-such-folder')
  const server = createEngineServer({ queue: {} as StatementQueue, incoming: folder, memory })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const query = encodeURIComponent('INSERT INTO logs FORMAT Native')
    const url = new URL(`http://127.0.0.1:${port}/?query=${query}`)
    const answer = await sendRequest(url, {}, Buffer.alloc(4 * 1024 * 1024))
    expect([answer.headers['x-clickhouse-exception-code'], answer.text]).toEqual([
      '75',
      expect.stringContaining('ENOENT'),
    ])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
