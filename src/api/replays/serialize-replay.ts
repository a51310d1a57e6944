import type { ReplaySummary } from '#domain/replays/read-summaries.ts'

/** A replay as Sentry's tools expect it. */
export function serializeReplay(replay: ReplaySummary) {
  const { user } = replay
  const [browserName, browserVersion] = splitVersion(replay.browser)
  const [osName, osVersion] = splitVersion(replay.os)
  return {
    id: replay.replayId,
    project_id: String(replay.projectId),
    started_at: new Date(replay.startedAt).toISOString(),
    finished_at: new Date(replay.endedAt).toISOString(),
    duration: Math.round((replay.endedAt - replay.startedAt) / 1_000),
    count_errors: replay.errors,
    count_urls: replay.urls.length,
    count_segments: replay.segmentCount,
    count_dead_clicks: replay.deadClicks,
    count_rage_clicks: replay.rageClicks,
    activity: replay.activity,
    urls: replay.urls,
    error_ids: replay.errorIds,
    trace_ids: replay.traceIds,
    environment: replay.environment || null,
    releases: replay.release === '' ? [] : [replay.release],
    platform: 'javascript',
    replay_type: replay.replayType,
    is_archived: false,
    has_viewed: false,
    browser: { name: browserName, version: browserVersion },
    os: { name: osName, version: osVersion },
    device: { name: replay.device || null, family: replay.device || null, brand: null, model: null },
    user: {
      id: user.id || null,
      email: user.email || null,
      username: user.name || null,
      ip: user.ip || null,
      display_name: user.email || user.name || user.id || user.ip || null,
    },
    tags: {},
  }
}

/** `Chrome 156.0` as name and version. */
function splitVersion(text: string): [string | null, string | null] {
  const [, name = '', version = ''] = /^(.*?)(?: ([\d.]+))?$/.exec(text) ?? []
  return [name || null, version || null]
}
