import type { CommandContext } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type ChainedFields, digestOf, hashOf, type PersonalFields } from './audit-hash.ts'
import { readAuditLog, readInOrder } from './list-audit.ts'

export type StoredEntry = PersonalFields &
  Omit<ChainedFields, 'position'> & { position: number | null; salt: string; hash: string }
export type Verification = {
  entries: number
  /** Their personal fields were erased; the chain holds their digest. */
  erased: number
  /** From before the chain: nothing protects them. */
  unchained: number
  /** Keep it elsewhere: a later log must still contain it. */
  hash: string
  /** The first position that is not as it was written, and why. */
  fault: { position: number; reason: 'missing' | 'changed' | 'content_changed' } | null
}

/** Checks that no entry was changed, removed or inserted. Entries come in the order of their positions. */
export async function verifyEntries(entries: AsyncIterable<StoredEntry>): Promise<Verification> {
  const result: Verification = { entries: 0, erased: 0, unchained: 0, hash: '', fault: null }
  for await (const row of entries) {
    const { position } = row
    if (position === null) {
      result.unchained++
      continue
    }
    const expected = result.entries + 1
    if (position !== expected) return { ...result, fault: { position: expected, reason: 'missing' } }
    if (hashOf(result.hash, { ...row, position }) !== row.hash)
      return { ...result, fault: { position, reason: 'changed' } }
    if (row.salt === '' ? isFilled(row) : digestOf(row.salt, row) !== row.digest)
      return { ...result, fault: { position, reason: 'content_changed' } }
    result.entries++
    result.hash = row.hash
    if (row.salt === '') result.erased++
  }
  return result
}

/** An erased entry says nothing; one without a salt that says something was made up. */
const isFilled = (row: PersonalFields): boolean =>
  [row.actor_label, row.target_label, row.address, row.agent, row.before, row.after].some(Boolean) ||
  row.detail !== '{}'

/** The chain of the viewer's organization. */
export async function verifyViewedChain(viewer: Viewer): Promise<Verification> {
  const end = await viewer.control.auditChain().select(['position', 'hash']).executeTakeFirst()
  return checkEnd(await verifyEntries(readAuditLog(viewer)), end)
}

/** The chain of an organization, or of the installation for null. Also finds entries that were cut off at the end. */
export async function verifyChain(
  { db }: Pick<CommandContext, 'db'>,
  organizationId: number | null,
): Promise<Verification> {
  const end = await db
    .selectFrom('audit_chain')
    .select(['position', 'hash'])
    .where('organization_id', '=', organizationId ?? 0)
    .executeTakeFirst()
  const entries = () =>
    db.selectFrom('audit').where('organization_id', organizationId === null ? 'is' : '=', organizationId)
  return checkEnd(await verifyEntries(readInOrder(entries)), end)
}

/** Entries that were written while the others were read are after the end: they are checked the next time. */
function checkEnd(result: Verification, end: { position: number; hash: string } | undefined): Verification {
  const isWhole =
    end === undefined || end.position < result.entries || (end.position === result.entries && end.hash === result.hash)
  if (result.fault !== null || isWhole) return result
  return { ...result, fault: { position: result.entries + 1, reason: 'missing' } }
}
