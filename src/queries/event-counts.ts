/**
 * SQL for the number of failures and of users among events. A browser's event that is linked to the server's of the same failure weighs
 * nothing, and names in `replaced_user_hash` the address that the server took for the user: digest/plan/apply-plan.ts.
 */

/** Where a condition leaves only the linked ones, each of them stands for its failure. */
export const eventCount = 'if(sum(weight) = 0, toFloat64(count()), sum(weight))'

export const eventCountIf = (condition: string): string =>
  `if(sumIf(weight, ${condition}) = 0, toFloat64(countIf(${condition})), sumIf(weight, ${condition}))`

/** Users, without addresses that turned out to be somebody: |users ∪ replaced| − |replaced|. */
export const userCount =
  'uniqArray(arrayFilter(hash -> hash != 0, [user_hash, replaced_user_hash])) - uniqIf(replaced_user_hash, replaced_user_hash != 0)'

/** The same in two steps: states to select by group, and what adds the groups up. */
export const userStates = (condition = '1'): string =>
  `uniqStateIf(user_hash, user_hash != 0 AND ${condition}) AS users, ` +
  `uniqStateIf(replaced_user_hash, replaced_user_hash != 0 AND ${condition}) AS replaced_users`
export const mergedUserCount = (of: string): string =>
  `toInt64(uniqMergeArray([${of}.users, ${of}.replaced_users])) - toInt64(uniqMerge(${of}.replaced_users))`
