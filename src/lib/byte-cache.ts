/** Keeps what was used last, as far as the bytes allow. A value larger than all of it is not kept. */
type ByteCache<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value, sizeBytes: number): void
  readonly usedBytes: number
}

export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  // A Map remembers the order of insertion: what is used is put at its end, what is dropped is taken from its head.
  const entries = new Map<string, { value: Value; sizeBytes: number }>()
  let usedBytes = 0

  function remove(key: string): void {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    usedBytes -= entry.sizeBytes
  }

  return {
    get: key => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set: (key, value, sizeBytes) => {
      remove(key)
      if (sizeBytes > maxBytes) return
      for (const oldest of entries.keys()) {
        if (usedBytes + sizeBytes <= maxBytes) break
        remove(oldest)
      }
      entries.set(key, { value, sizeBytes })
      usedBytes += sizeBytes
    },
    get usedBytes() {
      return usedBytes
    },
  }
}
