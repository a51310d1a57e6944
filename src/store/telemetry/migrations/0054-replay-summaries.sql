-- Lists of replays show and search who a replay is about and what they did, without opening its recording.

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS user_id String CODEC(ZSTD(1));

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS user_id String CODEC(ZSTD(1));

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS user_email String CODEC(ZSTD(1));

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS user_email String CODEC(ZSTD(1));

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS user_name String CODEC(ZSTD(1));

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS user_name String CODEC(ZSTD(1));

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS user_ip String CODEC(ZSTD(1));

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS user_ip String CODEC(ZSTD(1));

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS browser_name LowCardinality(String);

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS browser_name LowCardinality(String);

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String);

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String);

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS os_name LowCardinality(String);

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS os_name LowCardinality(String);

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS os_version LowCardinality(String);

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS os_version LowCardinality(String);

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS device LowCardinality(String);

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS device LowCardinality(String);

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS click_count UInt32;

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS click_count UInt32;

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS dead_click_count UInt32;

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS dead_click_count UInt32;

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS rage_click_count UInt32;

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS rage_click_count UInt32;

ALTER TABLE replays{local} {onCluster} ADD COLUMN IF NOT EXISTS tags Map(LowCardinality(String), String) CODEC(ZSTD(1));

ALTER TABLE replays {onCluster} ADD COLUMN IF NOT EXISTS tags Map(LowCardinality(String), String) CODEC(ZSTD(1));
