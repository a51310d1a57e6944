-- A browser's error that is linked to a server's names the user that the server inferred for the same visitor (an address), so that
-- queries count one user and not two. Tables of a cluster have two halves; on one node the second statement changes nothing.

ALTER TABLE events{local} {onCluster} ADD COLUMN IF NOT EXISTS replaced_user_hash UInt64 DEFAULT 0;

ALTER TABLE events {onCluster} ADD COLUMN IF NOT EXISTS replaced_user_hash UInt64 DEFAULT 0;

ALTER TABLE event_index{local} {onCluster} ADD COLUMN IF NOT EXISTS replaced_user_hash UInt64 DEFAULT 0 CODEC(LZ4);

ALTER TABLE event_index {onCluster} ADD COLUMN IF NOT EXISTS replaced_user_hash UInt64 DEFAULT 0;

ALTER TABLE event_index_feed {onCluster} MODIFY QUERY
SELECT
  project_id, group_hash, timestamp, received_at, event_id, retention_days, weight, batch_id, user_hash, level, type, mechanism, platform,
  route, environment, release, dist, server_name, sdk_name, sdk_version, browser_name, browser_version, os_name, os_version, device,
  toUInt8((replay_id != toUUID('00000000-0000-0000-0000-000000000000')) * 4 + (user_hash != 0) * 2
    + (trace_id != toUUID('00000000-0000-0000-0000-000000000000')) * 2 + (url != '')) AS merit,
  tags, replaced_user_hash
FROM events{local};
