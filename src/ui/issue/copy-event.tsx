'use client'
import { CopyButton } from '../copy-button.tsx'

type Props = { title: string; facts: { label: string; value: string }[]; stack: string }

/** Copies the event and its URL for a chat or a ticket. */
export function CopyEvent({ title, facts, stack }: Props) {
  const lines = facts.filter(({ value }) => value !== '')
  const here = () => window.location.href.split('#')[0] ?? ''
  return (
    <span className="with-script copyrow">
      <CopyButton
        label="Copy as Markdown"
        text={() =>
          [`### ${title}`, ...lines.map(fact => `- ${fact.label}: \`${fact.value}\``), here(), fence(stack)].join('\n')
        }
      />
      <CopyButton
        label="Copy as text"
        text={() => [title, ...lines.map(fact => `${fact.label}: ${fact.value}`), here(), '', stack].join('\n')}
      />
    </span>
  )
}

/** The fence is longer than any fence inside the stack. */
function fence(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(match => match[0].length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${code}\n${mark}`
}
