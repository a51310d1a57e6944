import { gzipSync } from 'node:zlib'

/**
 * KB of script, gzip, that a browser loads to make a page work: every chunk of the document's script tags, and of the client
 * components that React is told to import, except the one for browsers without modules. What is imported later, on a click or
 * when idle, is not in it.
 */
export async function scriptWeightKB(html: string, origin: string): Promise<number> {
  const tags = [...html.matchAll(/<script[^>]*>/gi)].map(([tag]) => tag).filter(tag => !/nomodule/i.test(tag))
  // An event may speak of chunks too, so not every path counts: `4:I[339756,["/_next/static/chunks/a.js"],"Menu"]`.
  // A path is in a row of its own where several imports name it: `22:"/_next/static/chunks/b.js"`.
  const rows = html.replaceAll('\\"', '"')
  const named = /\bI\[\d+,\[([^\]]*)\]|\b[0-9a-f]+:"(\/_next\/static\/chunks\/[^"]*)"/g
  const imports = [...rows.matchAll(named)].map(([, paths, path]) => paths ?? path ?? '')
  const wanted = new Set([...tags, ...imports].flatMap(text => text.match(chunk) ?? []))
  const sizes = await Promise.all(Array.from(wanted, path => packedBytes(new URL(path, origin))))
  return sizes.reduce((sum, size) => sum + size, 0) / 1e3
}

const chunk = /\/_next\/static\/chunks\/[\w./~-]+\.js/g

async function packedBytes(url: URL): Promise<number> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return gzipSync(Buffer.from(await answer.arrayBuffer())).length
}
