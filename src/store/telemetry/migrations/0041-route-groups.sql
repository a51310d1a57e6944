-- Errors in the sums of routes know their group, so that those of a deleted issue can be left out and purged.

ALTER TABLE route_sums{local} {onCluster} ADD COLUMN IF NOT EXISTS group_hash FixedString(32) CODEC(ZSTD(1));

ALTER TABLE route_sums {onCluster} ADD COLUMN IF NOT EXISTS group_hash FixedString(32) CODEC(ZSTD(1));

ALTER TABLE route_sums{local} {onCluster} ADD COLUMN IF NOT EXISTS received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1));

ALTER TABLE route_sums {onCluster} ADD COLUMN IF NOT EXISTS received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1));
