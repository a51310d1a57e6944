/** The limit of ingest: a server that reads a body and answers, and does nothing else. Tells its port to whoever forked it. */
import { createServer } from 'node:http'

const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
  let sizeBytes = 0
  req.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
  })
  req.on('end', () => {
    const body = `{"bytes":${sizeBytes}}`
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.send?.(address.port)
})
process.on('disconnect', () => process.exit(0))
