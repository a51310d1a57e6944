-- route_rollups in weeks instead of days, since each part that a question touches costs more than the rows in it, and with a second
-- projection: a table of all routes asks neither for releases nor for devices, and without them a month is a seventh of the sums.
-- Truncated before it is filled, because every statement here may be repeated; the old table goes with the next migration.

CREATE TABLE IF NOT EXISTS route_sums {onCluster} (
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
  ),
  PROJECTION by_day_alone (
    SELECT
      project_id, toStartOfDay(bucket), route, measure, detail,
      sum(count), sum(failed), sum(total), sumMap(bins, bin_counts)
    GROUP BY project_id, toStartOfDay(bucket), route, measure, detail
  )
) ENGINE = {engine:route_sums}
PARTITION BY (toYYYYMMDD(toMonday(bucket)), retention_days)
ORDER BY (project_id, bucket, route, measure)
SETTINGS {settings}, min_age_to_force_merge_seconds = 14400;

TRUNCATE TABLE route_sums{local} {onCluster};

INSERT INTO route_sums
SELECT
  project_id, bucket, retention_days, batch_id, route, measure, detail, release, environment, device, count, failed, total, bins, bin_counts
FROM route_rollups
SETTINGS min_insert_block_size_rows = 100000, min_insert_block_size_bytes = 67108864;
