/** `node claim-folder.ts <data folder>`: prints `ready`, waits for a line, claims the folder, prints the result, and runs until it is killed. */
import { once } from 'node:events'
import { claimDataFolder, dataPaths } from '#supervisor/data-folder.ts'

const dataDir = process.argv[2] ?? ''
process.stdout.write(`ready ${process.pid}\n`)
await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')])
const claim = await claimDataFolder(dataPaths(dataDir))
process.stdout.write(claim.ok ? 'claimed\n' : `refused: ${claim.reason}\n`)
setInterval(() => undefined, 60_000)
