import { gzipSync } from 'node:zlib'

/**
 * KB of script, gzip, that a browser loads to make a page work: every chunk that the document names, in a tag or in what React
 * reads from it, except the one for browsers without modules. What is imported later, on a click or when idle, is not in it.
 */
export async function scriptWeightKB(html: string, origin: string): Promise<number> {
  const old = [...html.matchAll(/<script[^>]*noModule[^>]*>/gi)].map(([tag]) => chunkOf(tag))
  const named = [...html.matchAll(chunk)].map(([path]) => path)
  const wanted = [...new Set(named)].filter(path => !old.includes(path))
  const sizes = await Promise.all(wanted.map(path => packedBytes(new URL(`/_next/${path}`, origin))))
  return sizes.reduce((sum, size) => sum + size, 0) / 1e3
}

/** In quotes: an event may speak of chunks too. */
const chunk = /(?<="\/_next\/)static\/chunks\/[\w./~-]+\.js/g
const chunkOf = (tag: string): string => tag.match(chunk)?.[0] ?? ''

async function packedBytes(url: URL): Promise<number> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return gzipSync(Buffer.from(await answer.arrayBuffer())).length
}
