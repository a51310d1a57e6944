/**
 * The conditions of a search as SQL of telemetry, each where it costs least. A condition on events is checked on each event, one on the
 * state in the mirror, one on a measure after the sums. Where an OR mixes them:
 * - events and states: the hashes of the issues in such a state are a set, and each event is looked up in it;
 * - with a measure: each event has a bit for every other member of the OR, the sums keep the combinations that occur, and the
 *   condition holds if it does for one of them.
 */
import { type Bind, bindArray, containsPattern, eventCondition, joinGroup } from '#domain/events/event-condition.ts'
import { mirrorColumns } from '../mirror/mirror-rows.ts'
import {
  type Claim,
  type ConditionGroup,
  type IssueCondition,
  type IssueConditions,
  leafConditions,
  type RangeCondition,
  type StateCondition,
} from './issue-conditions.ts'
import { textColumns } from './issue-fields.ts'

type TelemetryConditions = {
  /** On rows of the mirror. */
  states: string[]
  /** On events. */
  events: string[]
  /** On an issue's sums, in which `seen` are its combinations of bits. */
  having: string[]
  /** The bits of one event; null if the search needs none. */
  bits: string | null
}

/** `hashesOf` gives a SELECT of project and hash, of the issues in a state. */
type Writing = { bind: Bind; hashesOf: (condition: string) => string }

export function telemetryConditions(conditions: IssueConditions, writing: Writing): TelemetryConditions {
  const { bind } = writing
  const written: TelemetryConditions = { states: [], events: [], having: [], bits: null }
  const bits: string[] = []
  const mixed: string[] = []
  for (const condition of conditions) {
    if (isOf(condition, ['state'])) written.states.push(stateSql(condition, bind))
    else if (isOf(condition, ['state', 'event'])) written.events.push(eventSql(condition, writing))
    else if (isOf(condition, ['range'])) written.having.push(measureSql(condition, bind))
    else mixed.push(mixedSql(condition, bits, writing))
  }
  if (bits.length === 0) return written
  return {
    ...written,
    having: [...written.having, `arrayExists(bits -> ${mixed.join(' AND ')}, groupUniqArrayArray(found.seen))`],
    bits: bits.map((bit, at) => `bitShiftLeft(toUInt64(${bit}), ${at})`).join(' + '),
  }
}

const isOf = (condition: IssueCondition, kinds: readonly IssueCondition['kind'][]): boolean =>
  leafConditions([condition]).every(({ kind }) => kinds.includes(kind))

/** Members that the same store can check become one: each costs a set or a bit. */
function gathered(group: ConditionGroup, isTogether: (each: IssueCondition) => boolean): IssueCondition[] {
  const together = group.of.filter(isTogether)
  if (together.length < 2) return group.of
  const one: ConditionGroup = { kind: 'group', match: group.match, isNegated: false, of: together }
  return [one, ...group.of.filter(each => !isTogether(each))]
}

function stateSql(condition: IssueCondition, bind: Bind): string {
  if (condition.kind === 'group')
    return joinGroup(
      condition,
      condition.of.map(each => stateSql(each, bind)),
    )
  return condition.kind === 'state' ? writeState(condition, bind) : '1'
}

function eventSql(condition: IssueCondition, writing: Writing): string {
  if (condition.kind !== 'group' && condition.kind !== 'range' && condition.term)
    return eventCondition({ ...condition.term, isNegated: condition.isNegated }, writing.bind)
  if (isOf(condition, ['state']) && !isOfProjects(condition))
    return `((project_id, group_hash) GLOBAL IN (${writing.hashesOf(stateSql(condition, writing.bind))}))`
  if (condition.kind !== 'group') return '1'
  const members = gathered(condition, each => isOf(each, ['state']) && !isOfProjects(each))
  return joinGroup(
    condition,
    members.map(each => eventSql(each, writing)),
  )
}

/** The project is a column of events too. */
const isOfProjects = (condition: IssueCondition): boolean =>
  leafConditions([condition]).every(leaf => leaf.kind === 'state' && leaf.term !== undefined)

function measureSql(condition: IssueCondition, bind: Bind): string {
  if (condition.kind === 'group')
    return joinGroup(
      condition,
      condition.of.map(each => measureSql(each, bind)),
    )
  return condition.kind === 'range' ? writeRange(condition, bind) : '1'
}

function mixedSql(condition: IssueCondition, bits: string[], writing: Writing): string {
  if (condition.kind === 'range') return writeRange(condition, writing.bind)
  if (isOf(condition, ['state', 'event'])) {
    bits.push(eventSql(condition, writing))
    return `bitTest(bits, ${bits.length - 1})`
  }
  if (condition.kind !== 'group') return '1'
  const members = gathered(condition, each => isOf(each, ['state', 'event']))
  return joinGroup(
    condition,
    members.map(each => mixedSql(each, bits, writing)),
  )
}

function writeState({ isNegated, any }: StateCondition, bind: Bind): string {
  const claims = any.map(test => `(${test.map(claim => writeClaim(claim, bind)).join(' AND ') || '1'})`).join(' OR ')
  return isNegated ? `NOT (${claims || '0'})` : `(${claims || '0'})`
}

function writeClaim(claim: Claim, bind: Bind): string {
  if (claim.kind === 'compare')
    return `${claim.column} ${claim.comparison} ${bind(claim.value, mirrorColumns[claim.column])}`
  if (claim.kind === 'ids') return `issue_id IN ${bindArray(claim.ids, 'UInt64', bind)}`
  const pattern = bind(containsPattern(claim.value), 'String')
  return `(${textColumns.map(column => `${column} ILIKE ${pattern}`).join(' OR ')})`
}

function writeRange({ of, min, max, isNegated }: RangeCondition, bind: Bind): string {
  return `${isNegated ? 'NOT ' : ''}(${of} >= ${bind(min, 'Int64')} AND ${of} <= ${bind(max, 'Int64')})`
}
