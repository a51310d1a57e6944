import { addUsers, countUsers, decodeUserSketch, emptyUserSketch, encodeUserSketch } from '#lib/user-sketch.ts'

export function sketchUsers(
  stored: Uint8Array | null,
  users: ReadonlySet<string>,
): { user_sketch: Uint8Array; user_count: number } {
  const sketch = addUsers(stored === null ? emptyUserSketch : decodeUserSketch(stored), users)
  return { user_sketch: encodeUserSketch(sketch), user_count: countUsers(sketch) }
}
