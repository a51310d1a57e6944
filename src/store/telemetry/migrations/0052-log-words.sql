-- Words of log lines are found by an index. Parts that exist get it when they are merged; until then a search reads them whole.

ALTER TABLE logs{local} {onCluster} ADD INDEX IF NOT EXISTS body_words lower(body) TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 1;
