import { vi } from 'vitest'

/** The parameters of the search that a handler looks for. */
export async function discoverParams(call: () => Promise<unknown>): Promise<Set<string>> {
  const looked = new Set<string>()
  const spies = (['get', 'getAll', 'has'] as const).map(method => {
    const original = URLSearchParams.prototype[method] as (this: URLSearchParams, name: string) => unknown
    return vi.spyOn(URLSearchParams.prototype, method).mockImplementation(function (
      this: URLSearchParams,
      name: string,
    ) {
      looked.add(name)
      return original.call(this, name) as never
    })
  })
  await call().finally(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return looked
}
