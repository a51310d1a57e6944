-- `merit` gets the name that docs/glossary.md has for it. The second statement is for the Distributed half of a cluster; on one server
-- it changes nothing.

ALTER TABLE event_index{local} {onCluster} RENAME COLUMN IF EXISTS merit TO detail_score;

ALTER TABLE event_index {onCluster} RENAME COLUMN IF EXISTS merit TO detail_score;
