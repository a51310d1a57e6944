import { signInVisitor } from '../../test/e2e/visitor.ts'
import { findPageKinds, type PageKind } from './page-kinds.ts'
import { percentile } from './percentile.ts'
import { scriptWeightKB } from './script-weight.ts'
import { account, type SeedSize, startSeededHydrant } from './seeded-hydrant.ts'
import { type TimedPage, timePage } from './time-page.ts'

export type Times = { firstByte: Spread; content: Spread; lastByte: Spread }
type Spread = { p50: number; p95: number }
export type MeasuredPage = Times & { kind: PageKind; scriptKB: number; documentKB: number }
export type MeasuredPages = { bare: Times & { scriptKB: number }; pages: MeasuredPage[] }

type Options = { size: SeedSize; rounds: number; keepIn: string | null; bareUrl: string }

/**
 * All kinds of pages over one Hydrant. A round visits each once, the bare page among them: what else the machine does in the
 * meantime meets them all alike.
 */
export async function measurePages({ size, rounds, keepIn, bareUrl }: Options): Promise<MeasuredPages> {
  const hydrant = await startSeededHydrant(size, keepIn)
  try {
    await hydrant.settled()
    const visitor = await signInVisitor(hydrant.url, account.email, account.password)
    const read = async (url: string) => (await timePage(url, visitor.cookie())).html
    const kinds = await findPageKinds(path => read(hydrant.url + path))
    const visits = [
      { origin: bareUrl, paths: ['/'], content: '', isFirstLook: false },
      ...kinds.map(({ paths, content = '</html>', isFirstLook = false }) => ({
        origin: hydrant.url,
        paths,
        content,
        isFirstLook,
      })),
    ].map(visit => ({ ...visit, timed: [] as TimedPage[] }))
    for (const { origin, paths, isFirstLook } of visits)
      for (const path of isFirstLook ? [] : paths) await read(origin + path)
    for (let round = 0; round < rounds; round++) {
      for (const { origin, paths, content, timed } of visits) {
        const page = await timePage(origin + (paths[round % paths.length] ?? ''), visitor.cookie(), content)
        timed.push({ ...page, html: timed.length === 0 ? page.html : '' })
      }
    }
    const [bare, ...measured] = await Promise.all(
      visits.map(async ({ origin, timed }) => {
        const html = timed[0]?.html ?? ''
        const weights = { scriptKB: await scriptWeightKB(html, origin), documentKB: html.length / 1e3 }
        return { ...timesOf(timed), ...weights }
      }),
    )
    if (!bare) throw new Error('nothing was measured')
    const pages = kinds.flatMap((kind, index) => {
      const found = measured[index]
      return found ? [{ kind, ...found }] : []
    })
    return { bare, pages }
  } finally {
    await hydrant.end()
  }
}

function timesOf(timed: TimedPage[]): Times {
  const spread = (values: number[]): Spread => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) })
  return {
    firstByte: spread(timed.map(({ firstByteMs }) => firstByteMs)),
    content: spread(timed.map(({ contentMs }) => contentMs)),
    lastByte: spread(timed.map(({ lastByteMs }) => lastByteMs)),
  }
}
