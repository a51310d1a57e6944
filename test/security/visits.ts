/** Requests with their expected status. */
export type Visit = {
  what: string
  /** `in`: any response of the handler. `found`: any response of the handler except 404. */
  wants: number | 'in' | 'found'
  send: () => Promise<Response>
}

const refusals = [401, 403, 405, 429]

/** Sends them all, four at a time, and lists those with another status. */
export async function differences(visits: readonly Visit[]): Promise<string[]> {
  const rest = [...visits]
  const wrong: string[] = []
  const work = async () => {
    for (let visit = rest.shift(); visit; visit = rest.shift()) {
      const status = await statusOf(visit.send())
      if (!isWanted(visit.wants, status)) wrong.push(`${visit.what}: ${status} instead of ${visit.wants}`)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return wrong
}

function isWanted(wants: Visit['wants'], status: number): boolean {
  if (typeof wants === 'number') return status === wants
  if (status >= 500 || refusals.includes(status)) return false
  return wants === 'in' || status !== 404
}

export async function statusOf(response: Promise<Response>): Promise<number> {
  const answer = await response
  await answer.body?.cancel()
  return answer.status
}
