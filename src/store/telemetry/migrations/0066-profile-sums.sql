-- Where the time of a route goes, by profiles: the slowest functions without opening a profile.

CREATE TABLE IF NOT EXISTS profile_sums {onCluster} (
  project_id UInt64,
  bucket DateTime('UTC') CODEC(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  batch_id String CODEC(ZSTD(1)),
  route LowCardinality(String),
  platform LowCardinality(String),
  release LowCardinality(String),
  environment LowCardinality(String),
  function_name String CODEC(ZSTD(1)),
  file String CODEC(ZSTD(1)),
  line UInt32,
  position UInt32,
  debug_id LowCardinality(String),
  self_ms Float64 CODEC(ZSTD(1)),
  total_ms Float64 CODEC(ZSTD(1)),
  samples Float64 CODEC(ZSTD(1)),
  spans Float64 CODEC(ZSTD(1)),
  trace_id UUID,
  span_id UInt64,
  example_ms Float64 CODEC(ZSTD(1)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:profile_sums}
PARTITION BY (toYYYYMMDD(toMonday(bucket)), retention_days)
ORDER BY (project_id, route, bucket)
SETTINGS {settings}, min_age_to_force_merge_seconds = 14400;
