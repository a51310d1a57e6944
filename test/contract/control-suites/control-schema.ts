import { sql } from 'kysely'
import { type ControlMigrations, migrations } from '#store/control/migrations/list.ts'
import type { Control } from '#store/control/open-control.ts'

/** The migrations of a version before the baseline, which had the first `count` of today's old ones. */
export function oldVersion(count: number): ControlMigrations {
  const [first, ...others] = migrations.before.slice(0, count)
  if (!first) throw new Error('a version has at least one migration')
  return { before: [], baseline: first, numbered: others }
}

/** By table: its columns, keys, references and indexes, in lines. */
export async function readSchema({ db, dialect }: Control): Promise<Record<string, string[]>> {
  const { rows } = await (dialect === 'sqlite' ? sqliteLines : postgresLines).execute(db)
  const byTable = Map.groupBy(rows, row => row.name)
  return Object.fromEntries([...byTable].map(([name, lines]) => [name, lines.map(({ line }) => line)]))
}

type Line = { name: string; line: string }

/** Names of constraints are only text here; what they say is in the rest. */
const sqliteLines = sql<Line>`
  with t as (select name, lower(sql) as text from sqlite_master where type = 'table' and name not like 'sqlite_%')
  select t.name, c.cid || ' ' || c.name || ' ' || lower(c.type) || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '-') || ' pk ' || c.pk as line
    from t, pragma_table_xinfo(t.name) c
  union all select t.name, 'options ' || (t.text like '%without rowid') || ' ' || (t.text like '%autoincrement%') from t
  union all select t.name, 'reference ' || f."from" || ' ' || f."table" || ' ' || f."to" || ' ' || f.on_delete from t, pragma_foreign_key_list(t.name) f
  union all select t.name, 'index ' || i.name || ' ' || i."unique" || ' ' || i.origin || ' ' || i.partial || ' ' ||
      (select group_concat(x.name || ' ' || x."desc") from pragma_index_xinfo(i.name) x where x.key)
    from t, pragma_index_list(t.name) i
  order by 1, 2`

const postgresLines = sql<Line>`
  select c.relname as name, row_number() over (partition by c.oid order by a.attnum) || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' ||
      a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '-') as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  union all select conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select tablename, indexdef from pg_indexes where schemaname = 'public'
  order by 1, 2`
