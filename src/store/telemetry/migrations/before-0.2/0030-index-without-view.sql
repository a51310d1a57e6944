-- Digest writes event_index itself, with a deduplication token of its own. The view was fed again whenever an insert into events was
-- repeated, so an event could be counted twice.

DROP VIEW IF EXISTS event_index_feed {onCluster};
