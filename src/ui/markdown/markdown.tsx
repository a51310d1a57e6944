import { Fragment, type ReactNode } from 'react'
import type { Block, Inline, Mentionable } from '#lib/markdown/markdown.ts'
import { parseMarkdown } from '#lib/markdown/parse-markdown.ts'
import { showHidden } from '../shorten.ts'
import styles from './markdown.module.css'

type Props = {
  text: string
  mentionable: readonly Mentionable[]
  /** The viewer's own id among them. */
  me: string
}

/** A member's text. What it can contain is decided by the parser; nothing of it is ever HTML. */
export function Markdown({ text, mentionable, me }: Props) {
  return (
    <div className={styles.text}>{parseMarkdown(text, mentionable).map((block, key) => showBlock(block, key, me))}</div>
  )
}

function showBlock(block: Block, key: number, me: string): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{showAll(block.children, me)}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a tab stop, arrow keys could not scroll it
        <pre key={key} tabIndex={0}>
          <code>{showHidden(block.text)}</code>
        </pre>
      )
    case 'quote':
      return <blockquote key={key}>{block.children.map((child, index) => showBlock(child, index, me))}</blockquote>
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{showItem(item, me)}</li>)
      return block.isOrdered ? (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      )
    }
  }
}

/** An item of one paragraph is not spaced like one. */
function showItem(blocks: readonly Block[], me: string): ReactNode {
  return blocks.map((block, index) =>
    block.kind === 'paragraph' && index === 0 ? (
      <Fragment key={index}>{showAll(block.children, me)}</Fragment>
    ) : (
      showBlock(block, index, me)
    ),
  )
}

const showAll = (nodes: readonly Inline[], me: string): ReactNode =>
  nodes.map((node, key) => <Fragment key={key}>{showInline(node, me)}</Fragment>)

function showInline(node: Inline, me: string): ReactNode {
  switch (node.kind) {
    case 'text':
      return showHidden(node.text)
    case 'break':
      return <br />
    case 'code':
      return <code>{showHidden(node.text)}</code>
    case 'mention':
      return <span className={node.ids.includes(me) ? styles.me : styles.mention}>{showHidden(node.text)}</span>
    case 'bold':
      return <strong>{showAll(node.children, me)}</strong>
    case 'italic':
      return <em>{showAll(node.children, me)}</em>
    case 'link':
      return (
        <a className="link" href={node.href} title={node.href} rel="nofollow noopener noreferrer">
          {showAll(node.children, me)}
        </a>
      )
  }
}
