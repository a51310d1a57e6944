/** Runs the jobs of the queue, one after the other: on each node those that it claims, each on one node at a time. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Control } from '#store/control/control.ts'
import { claimJob, enqueueJob, failJob, finishJob, type Job } from '#store/control/job-queue.ts'
import { startPollLoop } from './poll-loop.ts'

export type JobHandler = {
  /** Repeatable: a process may be killed before the job is marked as done. */
  run(job: Job): Promise<void>
  /** A schedule is queued at start, once for all nodes. */
  everyMs?: number
}
type Options = {
  control: Control
  handlers: Readonly<Record<string, JobHandler>>
  log: Pick<Logger, 'warn'>
  now?: () => number
}
export type JobRunner = { runDue(): Promise<number>; stop(): Promise<void> }

const pollMs = 1_000
/** Longer than any job should take; a killed node's jobs rest for so long. */
const leaseMs = 60_000

export function createJobRunner({ control, handlers, log, now = Date.now }: Options): JobRunner {
  const holder = randomUUID()
  const names = Object.keys(handlers)
  let isStopping = false

  async function runOne(job: Job): Promise<void> {
    try {
      await handlers[job.name]?.run(job)
      await finishJob(control.db, job, holder, now())
    } catch (error) {
      log.warn({ job: job.name, attempts: job.attempts, error: String(error) }, 'job failed; trying again later')
      await failJob(control.db, job, holder, String(error), now())
    }
  }

  /** Everything that is due now. Gives the number of jobs that ran. */
  async function runDue(): Promise<number> {
    for (const [name, { everyMs }] of Object.entries(handlers))
      if (everyMs !== undefined) await ensureSchedule(name, everyMs)
    let count = 0
    while (!isStopping) {
      const job = await claimJob(control.db, { names, holder, nowMs: now(), leaseMs })
      if (job === null) return count
      await runOne(job)
      count += 1
    }
    return count
  }

  const scheduled = new Set<string>()
  async function ensureSchedule(name: string, everyMs: number): Promise<void> {
    if (scheduled.has(name)) return
    await enqueueJob(control.db, { name, key: name, runAt: now(), everyMs }, now())
    scheduled.add(name)
  }

  return {
    runDue,
    stop: async () => {
      isStopping = true
    },
  }
}

/** Runs what is due, again and again. */
export function startJobRunner(options: Options): JobRunner {
  const runner = createJobRunner(options)
  const loop = startPollLoop({
    pollMs,
    retryMs: pollMs,
    run: async () => void (await runner.runDue()),
    onError: error => options.log.warn({ error: String(error) }, 'jobs could not be read; trying again'),
  })
  return {
    runDue: runner.runDue,
    stop: async () => {
      await runner.stop()
      await loop.stop()
    },
  }
}
