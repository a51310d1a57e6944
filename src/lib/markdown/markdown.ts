/** The parsed form of a comment: the subset of Markdown that people write without thinking, and nothing that could run. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'code'; text: string }
  | { kind: 'mention'; text: string; ids: readonly string[] }
  | { kind: 'bold' | 'italic'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }

/** Who is mentioned by `@` and a handle. Several ids if they share it. */
export type Mentionable = { id: string; handle: string }

/** The ids of everyone whom a text mentions, each once. A mention in code is none. */
export function listMentions(blocks: readonly Block[]): string[] {
  return [...new Set(blocks.flatMap(mentionsOf))]
}

function mentionsOf(node: Block | Inline): readonly string[] {
  switch (node.kind) {
    case 'mention':
      return node.ids
    case 'list':
      return node.items.flat().flatMap(mentionsOf)
    case 'paragraph':
    case 'quote':
    case 'bold':
    case 'italic':
    case 'link':
      return (node.children as readonly (Block | Inline)[]).flatMap(mentionsOf)
    default:
      return []
  }
}
