-- What lists and issue pages ask of many events, without what only one event's page shows: narrow rows, and weeks instead of days,
-- since each part that a question touches costs more than the rows in it. The engine fills it from every insert into events.
-- merit: how much an event tells. Truncated before it is filled, because every statement here may be repeated.

CREATE TABLE IF NOT EXISTS event_index {onCluster} (
  project_id UInt64,
  group_hash FixedString(32) CODEC(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') CODEC(Delta, LZ4),
  received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  event_id UUID,
  retention_days UInt16,
  weight Float32 CODEC(LZ4),
  batch_id String CODEC(ZSTD(1)),
  user_hash UInt64 CODEC(LZ4),
  level LowCardinality(String),
  type LowCardinality(String),
  mechanism LowCardinality(String),
  platform LowCardinality(String),
  route LowCardinality(String),
  environment LowCardinality(String),
  release LowCardinality(String),
  dist LowCardinality(String),
  server_name LowCardinality(String),
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  browser_name LowCardinality(String),
  browser_version LowCardinality(String),
  os_name LowCardinality(String),
  os_version LowCardinality(String),
  device LowCardinality(String),
  merit UInt8,
  tags Map(LowCardinality(String), String) CODEC(LZ4),
  INDEX batch_bloom batch_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {engine:event_index}
PARTITION BY (toYYYYMMDD(toMonday(timestamp)), retention_days)
ORDER BY (project_id, group_hash, timestamp)
SETTINGS {settings};

ALTER TABLE event_index{local} {onCluster} MODIFY SETTING min_bytes_for_wide_part = 8388608;

TRUNCATE TABLE event_index{local} {onCluster};

INSERT INTO event_index
SELECT
  project_id, group_hash, timestamp, received_at, event_id, retention_days, weight, batch_id, user_hash, level, type, mechanism, platform,
  route, environment, release, dist, server_name, sdk_name, sdk_version, browser_name, browser_version, os_name, os_version, device,
  toUInt8((replay_id != toUUID('00000000-0000-0000-0000-000000000000')) * 4 + (user_hash != 0) * 2
    + (trace_id != toUUID('00000000-0000-0000-0000-000000000000')) * 2 + (url != '')) AS merit,
  tags
FROM events
SETTINGS min_insert_block_size_rows = 100000, min_insert_block_size_bytes = 67108864;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_index_feed {onCluster} TO event_index{local}
AS SELECT
  project_id, group_hash, timestamp, received_at, event_id, retention_days, weight, batch_id, user_hash, level, type, mechanism, platform,
  route, environment, release, dist, server_name, sdk_name, sdk_version, browser_name, browser_version, os_name, os_version, device,
  toUInt8((replay_id != toUUID('00000000-0000-0000-0000-000000000000')) * 4 + (user_hash != 0) * 2
    + (trace_id != toUUID('00000000-0000-0000-0000-000000000000')) * 2 + (url != '')) AS merit,
  tags
FROM events{local};
