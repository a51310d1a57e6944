-- A mirror of what control knows of each hash, so that a list can filter by tag and by state, and sort and page, in one question.
-- Control stays the truth: queries/issue-mirror writes what changed there. The newest version of a row counts.

CREATE TABLE IF NOT EXISTS issue_state {onCluster} (
  project_id UInt64,
  group_hash FixedString(32),
  issue_id UInt64,
  number UInt64,
  status LowCardinality(String),
  substatus LowCardinality(String),
  assignee String,
  priority LowCardinality(String),
  level LowCardinality(String),
  is_unhandled UInt8,
  title String CODEC(ZSTD(1)),
  culprit String CODEC(ZSTD(1)),
  first_seen Int64,
  is_deleted UInt8,
  version UInt64
) ENGINE = {engine:issue_state Replacing(version)}
ORDER BY (project_id, group_hash)
SETTINGS {settings};
