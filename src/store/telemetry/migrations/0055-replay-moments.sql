-- What users did in a replay, so that lists and timelines need not open its recording.

CREATE TABLE IF NOT EXISTS replay_moments {onCluster} (
  project_id UInt64,
  replay_id UUID,
  segment_id UInt32,
  timestamp DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  weight Float32 DEFAULT 1,
  batch_id String CODEC(ZSTD(1)),
  kind LowCardinality(String),
  level LowCardinality(String),
  selector String CODEC(ZSTD(1)),
  text String CODEC(ZSTD(1)),
  url String CODEC(ZSTD(1)),
  method LowCardinality(String),
  node_id UInt32,
  status UInt16,
  duration_ms UInt32,
  INDEX replay_id_bloom replay_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:replay_moments}
PARTITION BY (toYYYYMMDD(timestamp), retention_days)
ORDER BY (project_id, replay_id, timestamp)
SETTINGS {settings};
