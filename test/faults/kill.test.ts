import { expect, test } from 'vitest'
import { createRandom } from '../fuzz/random.ts'
import { isLong } from '../long.ts'
import { startHydrant, until } from '../start-hydrant.ts'
import { audit } from './audit.ts'
import { auditFolders } from './audit-folders.ts'
import { childIsBack, killChild, livesOf } from './children.ts'
import { startLoad } from './load.ts'

const rounds = Number(process.env.HYDRANT_FAULT_ROUNDS ?? (isLong ? 5 : 4))
const seed = Number(process.env.HYDRANT_SEED ?? 77)
const publicKey = 'f'.repeat(32)
const projectId = 77

type Target = 'main' | 'main at start' | 'engine' | 'web'
/** Each at least once, then at random. */
const firstTargets: Target[] = ['main', 'engine', 'web', 'main at start']

test(`nothing acknowledged is lost or counted twice in ${rounds} rounds of kills under load`, async () => {
  process.stdout.write(`kill: HYDRANT_SEED=${seed} repeats this order of kills\n`)
  const random = createRandom(seed)
  const hydrant = await startHydrant()
  try {
    await hydrant.init(
      '--org',
      'acme',
      '--project',
      'web',
      '--email',
      'owner@acme.dev',
      '--password',
      'correct horse battery',
      '--key',
      publicKey,
      '--project-id',
      String(projectId),
    )
    // An empty body is refused with 400 once the key is known, and with 403 before.
    const ingest = `${hydrant.url}/api/${projectId}/envelope/?sentry_key=${publicKey}`
    await until(async () => (await fetch(ingest, { method: 'POST' })).status === 400)
    const load = startLoad({ url: hydrant.url, projectId, publicKey, seed })
    /** A moment is a number of requests: on any machine the kill then meets a Hydrant that is at work. */
    const afterRequests = async (count: number) => {
      const target = load.sent() + count
      await until(() => load.sent() >= target)
    }

    // The first run is killed while the tables are created.
    await childIsBack(hydrant, 'engine', 0)
    await afterRequests(random.int(30))
    await hydrant.kill()
    await hydrant.start()

    for (let round = 0; round < rounds; round++) {
      const target = firstTargets[round] ?? random.pick(firstTargets)
      await killOne(target)
    }
    await load.stop()
    await hydrant.drained().catch(error => {
      const loud = hydrant
        .output()
        .split('\n')
        .filter(line => /"level":[456]0/.test(line))
      throw new Error(`${String(error)}; the last complaints:\n${loud.slice(-15).join('\n')}`)
    })
    const { acknowledged, uncertain, refused, repeats } = load.book
    const throttled = load.throttled()
    process.stdout.write(
      `kill: ${acknowledged.length} acknowledged, ${uncertain.length} uncertain, ${throttled} throttled, ${repeats} repeated\n`,
    )
    // Refused requests are allowed: the audit checks that none of them is stored.
    expect(refused.length).toBe(throttled)
    expect(acknowledged.length).toBeGreaterThan(rounds * 50)
    expect((await audit(hydrant.dataDir, projectId, load.book)).slice(0, 20)).toEqual([])
    expect(await auditFolders(hydrant.dataDir)).toEqual([])

    async function killOne(target: Target): Promise<void> {
      const engineLives = livesOf(hydrant, 'engine').length
      if (target === 'main at start') {
        // Several times: before its engine is up, and soon after.
        for (let times = 0; times < 3; times++) {
          await hydrant.kill()
          await hydrant.start()
          await afterRequests(random.int(150))
        }
      } else if (target === 'main') {
        await afterRequests(random.int(250))
        await hydrant.kill()
        await hydrant.start()
      } else if (target === 'engine') {
        // Twice: while a batch is being written, and while it is written again.
        await afterRequests(random.int(200))
        await killChild(hydrant, 'engine')
        await childIsBack(hydrant, 'engine', engineLives)
        await afterRequests(random.int(50))
        await killChild(hydrant, 'engine')
      } else {
        await childIsBack(hydrant, 'web', 0)
        const webLives = livesOf(hydrant, 'web').length
        await killChild(hydrant, 'web')
        await childIsBack(hydrant, 'web', webLives)
        return
      }
      const before = target === 'engine' ? engineLives + 1 : engineLives
      await childIsBack(hydrant, 'engine', before)
    }
  } finally {
    await hydrant.stop()
  }
})
