import type { ScopedControl } from '#store/control/scoped-control.ts'

/** The earliest hash of each issue: its first event and first release are those of the issue. */
export const firstHashes = (control: Pick<ScopedControl, 'issueHashes'>) =>
  control
    .issueHashes()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue_hash as earlier')
            .select('earlier.issue_id')
            .whereRef('earlier.issue_id', '=', 'issue_hash.issue_id')
            .whereRef('earlier.first_seen', '<', 'issue_hash.first_seen'),
        ),
      ),
    )
