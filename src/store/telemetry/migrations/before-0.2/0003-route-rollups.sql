-- What happened on each route in steps of five minutes: lens/route-rollup.ts makes the rows, one set per batch, from the rows of that batch.
-- The projection holds them by the day, in the same part, so it is there exactly when the rows are: a month is read from a few
-- thousand sums. bins and bin_counts are a histogram (lib/log-histogram.ts), joined by sumMap.

CREATE TABLE IF NOT EXISTS route_rollups {onCluster} (
  project_id UInt64,
  bucket DateTime('UTC') CODEC(Delta, ZSTD(1)),
  retention_days UInt16,
  batch_id String CODEC(ZSTD(1)),
  route LowCardinality(String),
  measure LowCardinality(String),
  detail LowCardinality(String),
  release LowCardinality(String),
  environment LowCardinality(String),
  device LowCardinality(String),
  count Float64 CODEC(ZSTD(1)),
  failed Float64 CODEC(ZSTD(1)),
  total Float64 CODEC(ZSTD(1)),
  bins Array(UInt16) CODEC(ZSTD(1)),
  bin_counts Array(Float64) CODEC(ZSTD(1)),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1,
  PROJECTION by_day (
    SELECT
      project_id, toStartOfDay(bucket), route, measure, detail, release, environment, device,
      sum(count), sum(failed), sum(total), sumMap(bins, bin_counts)
    GROUP BY project_id, toStartOfDay(bucket), route, measure, detail, release, environment, device
  )
) ENGINE = {engine:route_rollups}
PARTITION BY (toYYYYMMDD(bucket), retention_days)
ORDER BY (project_id, bucket, route, measure)
SETTINGS {settings};
