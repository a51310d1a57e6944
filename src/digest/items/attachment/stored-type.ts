import { mayBePicture, pictureHeadBytes, pictureTailBytes, readPicture } from '#lib/read-picture.ts'
import type { ItemPayload } from '#protocol/read-envelope.ts'
import { loadBytes, loadTail, sizeOf } from '../../read/read-json.ts'

/** Of pictures that pages draw, or what SDKs send for one: the feedback widget says `application/png`. */
const claimsPicture = /^(?:image\/(?:png|jpe?g|pjpeg|webp)|application\/(?:png|jpe?g|webp))\b/i

/** The type of a file by its own bytes. A declared one is kept unless it says picture and the bytes do not. */
export function storedType(payload: ItemPayload, declared: string): string {
  const found = mayBePicture(loadBytes(payload, 16))
    ? readPicture({
        head: loadBytes(payload, pictureHeadBytes),
        tail: loadTail(payload, pictureTailBytes),
        sizeBytes: sizeOf(payload),
      })
    : null
  return found?.type ?? (claimsPicture.test(declared.trim()) ? 'application/octet-stream' : declared)
}
