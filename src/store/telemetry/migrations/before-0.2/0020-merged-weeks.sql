-- A question opens every part, and here they are opened for each issue page: parts that are some hours old become one a week.
-- One file of data each: an issue page reads few rows of many columns.

ALTER TABLE event_index{local} {onCluster} MODIFY SETTING min_age_to_force_merge_seconds = 14400, min_bytes_for_wide_part = 134217728;
