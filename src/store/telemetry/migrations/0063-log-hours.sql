-- Lines are counted by hour and field, in each part beside its rows. Parts that exist have no counts and are read line by line until their retention ends.

ALTER TABLE logs{local} {onCluster} ADD PROJECTION IF NOT EXISTS by_hour (SELECT project_id, toStartOfHour(timestamp), level, route, release, environment, server_name, sdk_name, sum(weight) GROUP BY project_id, toStartOfHour(timestamp), level, route, release, environment, server_name, sdk_name);
