-- Lists sort by it (0116). The mirror gets it with the first changes that the job logs, and until then it is 0 in both stores.

ALTER TABLE issue_state{local} {onCluster} ADD COLUMN IF NOT EXISTS impact UInt16;

ALTER TABLE issue_state {onCluster} ADD COLUMN IF NOT EXISTS impact UInt16;
