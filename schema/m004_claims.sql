-- What a claim looks at is found by these indexes alone, whatever else waits: the next task of a
-- kind, a parked task of a kind that somebody handles now, waits that are over. Those that they
-- replace looked through parked and waiting tasks; an index holds nothing of its own.
DROP INDEX task_ready;
DROP INDEX task_waiting;
CREATE INDEX task_ready ON task (kind, turn) WHERE phase = 'ready';
CREATE INDEX task_parked ON task (kind, turn) WHERE phase = 'parked';
CREATE INDEX task_due ON task (retry_due_ms) WHERE phase = 'waiting' AND wait = 'retry';
CREATE INDEX task_set ON task (retry_set_ms) WHERE phase = 'waiting' AND wait = 'retry';
CREATE INDEX task_held ON task (held_under) WHERE phase = 'waiting' AND wait = 'conditions';
