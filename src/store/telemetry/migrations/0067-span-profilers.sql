-- Which spans were profiled, without reading their attributes.

ALTER TABLE spans{local} {onCluster} ADD COLUMN IF NOT EXISTS profiler_id UUID;

ALTER TABLE spans {onCluster} ADD COLUMN IF NOT EXISTS profiler_id UUID;
