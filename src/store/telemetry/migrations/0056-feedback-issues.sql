-- Feedback is an event of its own kind, so that it becomes an issue (0071). Lists tell it from errors by the kind.

ALTER TABLE event_index{local} {onCluster} ADD COLUMN IF NOT EXISTS kind LowCardinality(String);

ALTER TABLE event_index {onCluster} ADD COLUMN IF NOT EXISTS kind LowCardinality(String);

ALTER TABLE issue_state{local} {onCluster} ADD COLUMN IF NOT EXISTS kind LowCardinality(String);

ALTER TABLE issue_state {onCluster} ADD COLUMN IF NOT EXISTS kind LowCardinality(String);

-- The events of what is stored already. Reconciliation then indexes and counts them and creates their issues. A repeat adds nothing.

INSERT INTO events (
  project_id, event_id, timestamp, received_at, retention_days, weight, client_sample_rate, batch_id, group_version, group_hash,
  kind, level, platform, title, culprit, is_handled, route_raw, route, url, environment, release, user_hash, user_id, user_email,
  user_name, trace_id, replay_id, data)
SELECT
  project_id, feedback_id, timestamp, received_at, retention_days, weight, 1, batch_id, 1, lower(hex(MD5(concat('feedback ', toString(feedback_id))))),
  'feedback', 'info', if(JSONExtractString(data, 'platform') = '', 'javascript', JSONExtractString(data, 'platform')),
  if(trim(message) = '', '<no message>', substringUTF8(splitByChar('\n', trimLeft(message))[1], 1, 200)),
  JSONExtractString(data, 'transaction'), true, JSONExtractString(data, 'transaction'), JSONExtractString(data, 'transaction'), url,
  environment, release, user_hash, JSONExtractString(data, 'user', 'id'), contact_email, contact_name, trace_id, replay_id,
  if(JSONHas(data, 'contexts'), data, concat(
    '{"event_id":"', replaceAll(toString(feedback_id), '-', ''), '","timestamp":', toString(toUnixTimestamp64Milli(timestamp) / 1000),
    ',"level":"info","platform":"javascript","tags":{},"user":{"email":', toJSONString(contact_email),
    ',"name":', toJSONString(contact_name),
    '},"contexts":{"feedback":{"source":"user_report","message":', toJSONString(message),
    ',"contact_email":', toJSONString(contact_email), ',"name":', toJSONString(contact_name),
    ',"associated_event_id":"', replaceAll(toString(associated_event_id), '-', ''), '"}}}'))
FROM feedback
WHERE feedback_id GLOBAL NOT IN (SELECT event_id FROM events WHERE kind = 'feedback')
SETTINGS max_partitions_per_insert_block = 0;
