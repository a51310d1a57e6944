/** The JSON of a stored event: known fields have one shape each, unknown fields are kept. */
export type Frame = {
  filename?: string
  abs_path?: string
  module?: string
  function?: string
  context_line?: string
  pre_context?: string[]
  post_context?: string[]
  lineno?: number
  colno?: number
  in_app?: boolean
  [key: string]: unknown
}

export type Mechanism = { type?: string; handled?: boolean; synthetic?: boolean; [key: string]: unknown }

export type ExceptionValue = {
  type?: string
  value?: string
  module?: string
  mechanism?: Mechanism
  stacktrace?: { frames: Frame[]; [key: string]: unknown }
  [key: string]: unknown
}

type Breadcrumb = { timestamp?: number | string; category?: string; message?: string; [key: string]: unknown }

export type EventUser = { id?: string; email?: string; username?: string; ip_address?: string; [key: string]: unknown }

export type StoredEvent = {
  event_id: string
  /** Seconds since 1970, by the server's clock. */
  timestamp: number
  level: string
  platform: string
  /** Oldest cause first, the thrown error last. */
  exception?: { values: ExceptionValue[] }
  logentry?: { message?: string; formatted?: string; params?: unknown }
  breadcrumbs?: Breadcrumb[]
  tags: Record<string, string>
  user?: EventUser
  contexts: { [name: string]: { [key: string]: unknown } }
  request?: { url?: string; method?: string; headers?: { [name: string]: unknown }; [key: string]: unknown }
  transaction?: string
  fingerprint?: string[]
  environment?: string
  release?: string
  dist?: string
  server_name?: string
  sdk?: { name?: string; version?: string; [key: string]: unknown }
  /** What Hydrant changed, and where. */
  _hydrant?: { notes: { path: string; kind: string; detail?: string }[]; dropped?: number }
  [key: string]: unknown
}
