import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Config } from '#config.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { type Check, fail, ok, reasonOf } from './check.ts'

const name = 'blobs'

/** Writes, reads and removes one: rights to read do not prove rights to write. */
export async function checkBlobs(config: Config): Promise<Check> {
  const day = new Date().toISOString().slice(0, 10)
  const place = config.blobsUrl === undefined ? 'The folder' : 'The S3 store'
  const bytes = randomBytes(32)
  const key = `doctor/${day}/1/${bytes.toString('hex')}`
  try {
    const blobs = openBlobs(config)
    await blobs.put(key, { kind: 'bytes', bytes })
    const stream = await blobs.read(key)
    const isSame = stream !== null && (await buffer(stream)).equals(bytes)
    await blobs.removeDay('doctor', day)
    if (isSame) return ok(name, `${place} takes and gives back what is put into it.`)
    return fail(name, `${place} gave back something else than was put into it.`, 'Do not use this store.')
  } catch (error) {
    return fail(
      name,
      `${place} refused: ${reasonOf(error)}.`,
      'Check HYDRANT_BLOBS_URL, or the rights to the data folder.',
    )
  }
}
