import * as Sentry from '@sentry/nextjs'

/** What a scheduler would call every hour; the check-in carries the schedule, so the monitor needs no setup. */
export async function POST(): Promise<Response> {
  await Sentry.withMonitor('restock', countShelves, {
    schedule: { type: 'crontab', value: '0 * * * *' },
    checkinMargin: 5,
    maxRuntime: 10,
    timezone: 'Etc/UTC',
  })
  return Response.json({ restocked: true })
}

async function countShelves(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 20))
}
