import * as Sentry from '@sentry/nextjs'

export async function POST(): Promise<Response> {
  Sentry.logger.error('The printer is out of paper', { printer: 'back office' })
  Sentry.metrics.gauge('queue.length', 4)
  await Sentry.startSpan({ name: 'SELECT items', op: 'db.query' }, waitForAnswer)
  return Response.json({ told: true })
}

async function waitForAnswer(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 10))
}
