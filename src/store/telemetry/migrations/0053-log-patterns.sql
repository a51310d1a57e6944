-- Lines that only differ in their values have the same pattern. 0 are lines that were stored before there was one.

ALTER TABLE logs{local} {onCluster} ADD COLUMN IF NOT EXISTS pattern UInt64;

ALTER TABLE logs {onCluster} ADD COLUMN IF NOT EXISTS pattern UInt64;
