'use client'
import { Ellipsis } from 'lucide-react'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { makePatternIssue } from './actions.ts'

type Props = {
  organizationSlug: string
  /** The first words of the pattern. */
  name: string
  ids: readonly string[]
  /** Null if the viewer may not make rules. */
  alertHref: string | null
  /** Null if the viewer may not make issues; the pattern's own, if it has one. */
  issue: { href: string; shortId: string } | 'none' | null
}

/** What can be made of a pattern. */
export function PatternActions({ organizationSlug, name, ids, alertHref, issue }: Props) {
  const [state, action, isPending] = useAction(makePatternIssue, idle)
  if (alertHref === null && issue === null) return null
  return (
    <ActionForm action={action}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="patterns" value={ids.join()} />
      <Menu className="icon-btn" name={`More about ${name}`} label={<Ellipsis className="i" aria-hidden="true" />}>
        {alertHref === null ? null : <Link href={alertHref}>Create alert</Link>}
        {issue === 'none' ? (
          <button type="submit" disabled={isPending}>
            Create issue
          </button>
        ) : issue ? (
          <Link href={issue.href}>Open {issue.shortId}</Link>
        ) : null}
      </Menu>
      <ActionToast state={state} />
    </ActionForm>
  )
}
