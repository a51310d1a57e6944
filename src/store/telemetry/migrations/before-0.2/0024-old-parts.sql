-- Tables of older versions kept what had been merged for eight minutes: thousands of parts in the engine's memory during a flood.

ALTER TABLE events{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE event_index{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE spans{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE logs{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE metrics{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE sessions{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE check_ins{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE feedback{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE replays{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE profiles{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE attachments{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE outcomes{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE issue_state{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;

ALTER TABLE route_sums{local} {onCluster} MODIFY SETTING old_parts_lifetime = 60;
