-- What route_sums has taken over.

DROP TABLE IF EXISTS route_rollups {onCluster};

DROP TABLE IF EXISTS route_rollups{local} {onCluster};
