-- Every telemetry table. {engine:Table} and {onCluster} are filled in by migrate-telemetry.ts:
-- MergeTree on one node, Replicated… plus Distributed where a cluster is named.
-- retention_days stands in the partition key beside the day: retention is a dropped partition, and the disk comes back at once.

CREATE TABLE IF NOT EXISTS events {onCluster} (
  project_id UInt64,
  event_id UUID,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  client_sample_rate Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  group_version UInt8,
  group_hash FixedString(32) CODEC(ZSTD(1)),
  kind LowCardinality(String),
  level LowCardinality(String),
  platform LowCardinality(String),
  type String CODEC(ZSTD(1)),
  title String CODEC(ZSTD(1)),
  culprit String CODEC(ZSTD(1)),
  is_handled Bool,
  mechanism LowCardinality(String),
  route_raw String CODEC(ZSTD(1)),
  route LowCardinality(String),
  url String CODEC(ZSTD(1)),
  environment LowCardinality(String),
  release LowCardinality(String),
  dist LowCardinality(String),
  server_name LowCardinality(String),
  user_hash UInt64,
  user_id String CODEC(ZSTD(1)),
  user_email String CODEC(ZSTD(1)),
  user_name String CODEC(ZSTD(1)),
  user_ip String CODEC(ZSTD(1)),
  trace_id UUID,
  span_id UInt64,
  replay_id UUID,
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  browser_name LowCardinality(String),
  browser_version LowCardinality(String),
  os_name LowCardinality(String),
  os_version LowCardinality(String),
  device LowCardinality(String),
  is_prefetch Bool,
  tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  data String CODEC(ZSTD(3)),
  INDEX event_id_bloom event_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:events}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, group_hash, timestamp)
-- A whole event is read alone, and with it all that shares its granule: these are a tenth of the usual size.
SETTINGS {settings}, index_granularity_bytes = 1048576;

CREATE TABLE IF NOT EXISTS spans {onCluster} (
  project_id UInt64,
  timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  duration_us UInt64 CODEC(ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  client_sample_rate Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  trace_id UUID,
  span_id UInt64,
  parent_span_id UInt64,
  segment_id UInt64,
  is_segment Bool,
  segment_name LowCardinality(String),
  segment_source LowCardinality(String),
  name String CODEC(ZSTD(1)),
  op LowCardinality(String),
  origin LowCardinality(String),
  status LowCardinality(String),
  platform LowCardinality(String),
  environment LowCardinality(String),
  release LowCardinality(String),
  dist LowCardinality(String),
  server_name LowCardinality(String),
  route_raw String CODEC(ZSTD(1)),
  route LowCardinality(String),
  method LowCardinality(String),
  status_code UInt16,
  url String CODEC(ZSTD(1)),
  is_prefetch Bool,
  is_sdk_transport Bool,
  user_hash UInt64,
  user_id String CODEC(ZSTD(1)),
  replay_id UUID,
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  browser_name LowCardinality(String),
  os_name LowCardinality(String),
  device LowCardinality(String),
  attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  links String CODEC(ZSTD(1)),
  data String CODEC(ZSTD(3)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:spans}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, toStartOfHour(timestamp), trace_id, timestamp)
SETTINGS {settings};

CREATE TABLE IF NOT EXISTS logs {onCluster} (
  project_id UInt64,
  timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  log_id UUID,
  sequence UInt32,
  level LowCardinality(String),
  severity UInt8,
  body String CODEC(ZSTD(1)),
  template String CODEC(ZSTD(1)),
  trace_id UUID,
  span_id UInt64,
  environment LowCardinality(String),
  release LowCardinality(String),
  server_name LowCardinality(String),
  origin LowCardinality(String),
  route LowCardinality(String),
  user_hash UInt64,
  user_id String CODEC(ZSTD(1)),
  replay_id UUID,
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:logs}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, timestamp, sequence)
SETTINGS {settings};

CREATE TABLE IF NOT EXISTS metrics {onCluster} (
  project_id UInt64,
  timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  name LowCardinality(String),
  kind LowCardinality(String),
  unit LowCardinality(String),
  value Float64,
  trace_id UUID,
  span_id UInt64,
  environment LowCardinality(String),
  release LowCardinality(String),
  server_name LowCardinality(String),
  user_hash UInt64,
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:metrics}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, name, timestamp)
SETTINGS {settings};

-- One row per update of a session, and one per minute of an aggregate (then session_id is zero and quantity counts).
-- A reader takes the newest update of each session_id.
CREATE TABLE IF NOT EXISTS sessions {onCluster} (
  project_id UInt64,
  started DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  session_id UUID,
  is_init Bool,
  status LowCardinality(String),
  errors UInt32,
  duration_ms UInt64,
  quantity UInt64,
  environment LowCardinality(String),
  release LowCardinality(String),
  user_hash UInt64,
  browser_name LowCardinality(String),
  os_name LowCardinality(String),
  data String CODEC(ZSTD(1)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:sessions}
PARTITION BY (toYYYYMMDD(started), retention_days)
ORDER BY (project_id, release, started, session_id)
SETTINGS {settings};

CREATE TABLE IF NOT EXISTS check_ins {onCluster} (
  project_id UInt64,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  check_in_id UUID,
  monitor_slug LowCardinality(String),
  status LowCardinality(String),
  duration_ms UInt64,
  environment LowCardinality(String),
  release LowCardinality(String),
  trace_id UUID,
  data String CODEC(ZSTD(1)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:check_ins}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, monitor_slug, timestamp)
SETTINGS {settings};

CREATE TABLE IF NOT EXISTS feedback {onCluster} (
  project_id UInt64,
  feedback_id UUID,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  source LowCardinality(String),
  message String CODEC(ZSTD(1)),
  contact_email String CODEC(ZSTD(1)),
  contact_name String CODEC(ZSTD(1)),
  url String CODEC(ZSTD(1)),
  associated_event_id UUID,
  replay_id UUID,
  trace_id UUID,
  environment LowCardinality(String),
  release LowCardinality(String),
  user_hash UInt64,
  data String CODEC(ZSTD(3)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:feedback}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, timestamp)
SETTINGS {settings};

-- One row per replay segment; the recording's bytes are the blob.
CREATE TABLE IF NOT EXISTS replays {onCluster} (
  project_id UInt64,
  replay_id UUID,
  segment_id UInt32,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  started DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  replay_type LowCardinality(String),
  environment LowCardinality(String),
  release LowCardinality(String),
  user_hash UInt64,
  urls Array(String) CODEC(ZSTD(1)),
  error_ids Array(String) CODEC(ZSTD(1)),
  trace_ids Array(String) CODEC(ZSTD(1)),
  recording_bytes UInt64,
  recording_blob String CODEC(ZSTD(1)),
  data String CODEC(ZSTD(3)),
  INDEX replay_id_bloom replay_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:replays}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, replay_id, segment_id)
SETTINGS {settings};

CREATE TABLE IF NOT EXISTS profiles {onCluster} (
  project_id UInt64,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  kind LowCardinality(String),
  profile_id UUID,
  profiler_id UUID,
  platform LowCardinality(String),
  environment LowCardinality(String),
  release LowCardinality(String),
  trace_id UUID,
  size_bytes UInt64,
  blob String CODEC(ZSTD(1)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:profiles}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, timestamp)
SETTINGS {settings};

CREATE TABLE IF NOT EXISTS attachments {onCluster} (
  project_id UInt64,
  event_id UUID,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  filename String CODEC(ZSTD(1)),
  content_type LowCardinality(String),
  attachment_type LowCardinality(String),
  size_bytes UInt64,
  blob String CODEC(ZSTD(1)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:attachments}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, event_id, filename)
SETTINGS {settings};

-- What was refused, filtered, limited or dropped, and why; summed by the hour.
CREATE TABLE IF NOT EXISTS outcomes {onCluster} (
  project_id UInt64,
  hour DateTime('UTC'),
  retention_days UInt16,
  batch_id String CODEC(ZSTD(1)),
  category LowCardinality(String),
  outcome LowCardinality(String),
  reason LowCardinality(String),
  quantity UInt64,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:outcomes}
PARTITION BY (toYYYYMMDD(hour), retention_days)
ORDER BY (project_id, hour, category, outcome, reason)
SETTINGS {settings};
