import { isDeletedSql } from './deleted-groups.ts'
import { readTokens, type Token } from './sql-tokens.ts'

export const scopeParameter = 'scope_projects'

/** The text of a query in two forms; the same if it reads no table of events. */
export type FilledQuery = { plain: string; withoutDeleted: string }

/**
 * Replaces each `{scope}` with a condition on the projects of its table: `events.project_id IN {scope_projects:Array(UInt64)}`.
 * Throws unless every SELECT that names a table begins its WHERE with `{scope}`; one that names several tables needs
 * `{scope:alias}` for each. A table is whatever follows FROM or JOIN and is neither a subquery nor a name from WITH.
 * In `withoutDeleted`, the scope of events also leaves out those of deleted issues.
 */
export function fillScope(sql: string): FilledQuery {
  const check = new ScopeCheck(readTokens(sql))
  const marks = check.run()
  const fill = (also: (mark: Mark) => string): string => {
    let filled = ''
    let at = 0
    for (const mark of marks) {
      // Qualified, because `… AS project_id` in the SELECT would otherwise stand for the column.
      const condition = `${mark.source}.project_id IN {${scopeParameter}:Array(UInt64)}${also(mark)}`
      filled += sql.slice(at, mark.token.start) + condition
      at = mark.token.end
    }
    return filled + sql.slice(at)
  }
  const isOfEvents = ({ table }: Mark): boolean => table === 'events' || table === 'event_index'
  return {
    plain: fill(() => ''),
    withoutDeleted: fill(mark => (isOfEvents(mark) ? ` AND NOT ${isDeletedSql(mark.source)}` : '')),
  }
}

type Source = { name: string; table: string; isTable: boolean; isScoped: boolean }
type Mark = { token: Token; source: string; table: string }
type Select = { sources: Source[]; clause: 'with' | 'from' | 'where' | 'other' | '' }

/** Words that end a FROM clause or continue it, so that none of them is read as an alias. */
const reserved = new Set(
  'WHERE PREWHERE GROUP ORDER LIMIT HAVING UNION INTERSECT EXCEPT SETTINGS FORMAT JOIN GLOBAL LOCAL ANY ALL ASOF SEMI ANTI LEFT RIGHT INNER FULL CROSS OUTER PASTE ARRAY ON USING SAMPLE WINDOW QUALIFY OFFSET FETCH WITH INTO SELECT FROM'.split(
    ' ',
  ),
)
const clauseEnds = new Set(
  'WHERE GROUP ORDER LIMIT HAVING UNION INTERSECT EXCEPT SETTINGS FORMAT WINDOW QUALIFY OFFSET'.split(' '),
)

const unscoped = (reason: string): Error => new Error(`Unscoped query: ${reason}`)

class ScopeCheck {
  readonly #tokens: readonly Token[]
  readonly #marks: Mark[] = []
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  run(): Mark[] {
    if (!this.#isQuery(0)) throw unscoped('it must begin with SELECT or WITH')
    this.#readLevel(new Set())
    if (this.#at < this.#tokens.length) throw unscoped('it has a parenthesis too many')
    return this.#marks
  }

  /** Reads up to the closing parenthesis of this level. `outer` are the names from WITH that it may use. */
  #readLevel(outer: ReadonlySet<string>): void {
    let names = new Set(outer)
    let select: Select = { sources: [], clause: '' }
    for (;;) {
      const token = this.#next()
      if (token === undefined || token.text === ')') break
      if (token.kind === 'scope') throw unscoped(`${token.text} must be the first condition of WHERE`)
      if (this.#isUnion(token)) {
        this.#finish(select)
        select = { sources: [], clause: '' }
        names = new Set(outer)
      } else this.#readToken(token, select, names)
    }
    this.#finish(select)
  }

  #readToken(token: Token, select: Select, names: Set<string>): void {
    const word = this.#keyword(token)
    if (token.kind === 'sign') this.#readSign(token, select, names)
    else if (word === 'WITH' && select.clause === '') select.clause = 'with'
    else if (select.clause === 'with' && this.#isNamedQuery()) this.#readNamedQuery(token.text, names)
    else if (word === 'SELECT') select.clause = 'other'
    else if (word === 'FROM') this.#readSource(select, names)
    else if (word === 'JOIN') this.#readJoin(select, names)
    else if (word === 'USING' && this.#peek()?.text !== '(') throw unscoped('USING needs parentheses')
    else if (word === 'WHERE' || word === 'PREWHERE') this.#readCondition(select)
    else if (word === 'OR' && select.clause === 'where') throw unscoped('an OR next to {scope} needs parentheses')
    else if (word === 'IN') this.#checkIn()
    else if (clauseEnds.has(word)) select.clause = 'other'
    else if (/^(?:dictget|dicthas|joinget)/i.test(token.text)) throw unscoped(`${token.text} reads without a scope`)
  }

  #readSign({ text }: Token, select: Select, names: Set<string>): void {
    if (text === '(') this.#readLevel(names)
    else if (text === ',' && select.clause === 'from') this.#readSource(select, names)
    else if (text === '?' && select.clause === 'where') throw unscoped('a ? next to {scope} needs parentheses')
  }

  #readJoin(select: Select, names: Set<string>): void {
    if (this.#tokens[this.#at - 2]?.text.toUpperCase() === 'ARRAY') select.clause = 'other'
    else this.#readSource(select, names)
  }

  /** `name AS (SELECT …`, with the name already read. */
  #isNamedQuery(): boolean {
    const [as, open] = [this.#peek(), this.#peek(1)]
    return as?.text.toUpperCase() === 'AS' && open?.text === '(' && this.#isQuery(this.#at + 2)
  }

  /** A name is known only after its query, which may itself read a table of the same name. */
  #readNamedQuery(name: string, names: Set<string>): void {
    this.#at += 2
    this.#readLevel(names)
    names.add(name)
  }

  #readSource(select: Select, names: ReadonlySet<string>): void {
    select.clause = 'from'
    const token = this.#next()
    if (token?.text === '(') {
      if (!this.#isQuery(this.#at)) throw unscoped('parentheses after FROM or JOIN must hold a SELECT')
      this.#readLevel(names)
      select.sources.push({ name: this.#readAlias() ?? '', table: '', isTable: false, isScoped: true })
      return
    }
    if (token?.kind !== 'word' && token?.kind !== 'quoted') throw unscoped('FROM and JOIN need the name of a table')
    const after = this.#peek()?.text
    if (after === '.' || after === '(') throw unscoped(`${token.text}${after} is not the name of a table`)
    const isTable = !names.has(token.text)
    const name = this.#readAlias() ?? token.text
    if (isTable && !/^\w+$/.test(name)) throw unscoped(`${name} is not a plain name`)
    select.sources.push({ name, table: token.text, isTable, isScoped: false })
  }

  #readAlias(): string | null {
    let alias: string | null = null
    for (;;) {
      const token = this.#peek()
      const word = token?.kind === 'word' ? token.text.toUpperCase() : ''
      if (word === 'FINAL') this.#at++
      else if (word === 'AS') {
        this.#at++
        alias = this.#next()?.text ?? ''
      } else if (token?.kind === 'quoted' || (word !== '' && !reserved.has(word))) alias = this.#next()?.text ?? ''
      else return alias
    }
  }

  /** The markers at the beginning of WHERE, joined by AND. */
  #readCondition(select: Select): void {
    // Without a table there is nothing that an OR could let through.
    select.clause = select.sources.some(({ isTable }) => isTable) ? 'where' : 'other'
    for (let token = this.#peek(); token?.kind === 'scope'; token = this.#peek()) {
      this.#at++
      this.#mark(token, select)
      const after = this.#peek()
      const word = after?.kind === 'word' ? after.text.toUpperCase() : ''
      if (word === 'AND') this.#at++
      else if (after !== undefined && after.text !== ')' && !clauseEnds.has(word))
        throw unscoped(`${token.text} must be followed by AND`)
      else return
    }
  }

  #mark(token: Token, { sources }: Select): void {
    const alias = /:(\w+)/.exec(token.text)?.[1]
    const tables = sources.filter(({ isTable }) => isTable)
    const source = alias === undefined ? tables[0] : tables.find(({ name }) => name === alias)
    if (source === undefined) throw unscoped(`${token.text} belongs to no table`)
    if (alias === undefined && tables.length > 1) throw unscoped('several tables need {scope:alias} for each')
    source.isScoped = true
    this.#marks.push({ token, source: source.name, table: source.table })
  }

  #finish({ sources }: Select): void {
    const missing = sources.find(({ isTable, isScoped }) => isTable && !isScoped)
    if (missing !== undefined) throw unscoped(`${missing.name} has no {scope} at the beginning of its WHERE`)
  }

  /** ClickHouse takes `IN name` and `IN (name)` for a table. */
  #checkIn(): void {
    const isName = (token: Token | undefined) => token?.kind === 'word' || token?.kind === 'quoted'
    const [first, second, third] = [this.#peek(), this.#peek(1), this.#peek(2)]
    if (first?.text === 'arrayConcat' && second?.text === '(') return
    const isTable = isName(first) || (first?.text === '(' && isName(second) && third?.text === ')')
    if (isTable) throw unscoped('IN needs values or a SELECT')
  }

  #isUnion(token: Token): boolean {
    return ['UNION', 'INTERSECT', 'EXCEPT'].includes(this.#keyword(token))
  }

  /** The word in upper case; empty for a column such as `pair.from`, and for anything that is not a word. */
  #keyword(token: Token): string {
    const isColumn = this.#tokens[this.#at - 2]?.text === '.'
    return token.kind === 'word' && !isColumn ? token.text.toUpperCase() : ''
  }

  #isQuery(at: number): boolean {
    const token = this.#tokens[at]
    if (token?.text === '(') return this.#isQuery(at + 1)
    return token?.kind === 'word' && ['SELECT', 'WITH', 'FROM'].includes(token.text.toUpperCase())
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }
}
