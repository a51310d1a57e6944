export type MonitoringSettings = {
  dsn: string | undefined
  environment: string
  release: string
  tracesSampleRate: number
  replaySampleRate: number
}

/** Read while the shop runs, never at build time, so that one build can report to any Hydrant. */
export function readMonitoringSettings(): MonitoringSettings {
  return {
    dsn: process.env.HYDRANT_DSN,
    environment: process.env.SHOP_ENVIRONMENT ?? 'demo',
    release: process.env.SHOP_RELEASE ?? 'shop@1.0.0',
    tracesSampleRate: readRate(process.env.SHOP_TRACES_SAMPLE_RATE, 1),
    replaySampleRate: readRate(process.env.SHOP_REPLAY_SAMPLE_RATE, 0),
  }
}

function readRate(text: string | undefined, fallback: number): number {
  const rate = Number.parseFloat(text ?? '')
  return rate >= 0 && rate <= 1 ? rate : fallback
}
