'use client'
import type { Block, Drawing, Line, Look } from '#domain/channels/drawing/drawing.ts'
import styles from './drawing.module.css'
import { MailFrame } from './mail-frame.tsx'

const names: Record<Look, string> = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  discord: 'Discord',
  teams: 'Teams',
  'google-chat': 'Google Chat',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  pagerduty: 'PagerDuty',
}
const lookOf: Record<Look, string | undefined> = {
  slack: styles.slack,
  mattermost: styles.mattermost,
  discord: styles.discord,
  teams: styles.teams,
  'google-chat': styles.google,
  telegram: styles.telegram,
  ntfy: styles.ntfy,
  pagerduty: styles.pager,
}

/** A message as its channel shows it. Its links lead nowhere: it was never sent. */
export function MessageDrawing({ drawing }: { drawing: Drawing }) {
  if (drawing.kind === 'mail') return <MailFrame mail={drawing} />
  if (drawing.kind === 'request') return <Request {...drawing} />
  const { look, color, blocks } = drawing
  return (
    <figure className={`${styles.drawing} ${lookOf[look]}`} aria-label={`As ${names[look]} shows it`}>
      {look === 'pagerduty' ? null : (
        <figcaption>
          <b>Hydrant</b> <span className={styles.bot}>{look === 'teams' ? 'Workflow' : 'App'}</span>
        </figcaption>
      )}
      <div className={styles.body} style={color === '' ? undefined : { borderLeftColor: color }}>
        {blocks.map((block, index) => (
          <BlockDrawing key={index} block={block} />
        ))}
      </div>
    </figure>
  )
}

function BlockDrawing({ block }: { block: Block }) {
  switch (block.kind) {
    case 'title':
      return (
        <p className={styles.title}>
          <Words line={block.line} />
        </p>
      )
    case 'text':
      return (
        <div className={block.isQuiet ? styles.quiet : undefined}>
          {block.lines.map((line, index) => (
            <p key={index}>
              <Words line={line} />
            </p>
          ))}
        </div>
      )
    case 'facts':
      return (
        <dl className={styles.facts}>
          {block.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )
    case 'buttons':
      return (
        <p className={styles.buttons}>
          {block.labels.map(label => (
            <span key={label}>{label}</span>
          ))}
        </p>
      )
  }
}

function Words({ line }: { line: Line }) {
  return line.map(({ text, href, look }, index) => {
    const shown = href === undefined ? text : <span className={styles.link}>{text}</span>
    const Tag = look === 'code' ? 'code' : look === 'bold' ? 'b' : 'span'
    return <Tag key={index}>{shown}</Tag>
  })
}

function Request({ head, headers, body }: Extract<Drawing, { kind: 'request' }>) {
  return (
    <figure className={`${styles.drawing} ${styles.request}`} aria-label="As the server gets it">
      <figcaption>{head}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <pre tabIndex={0}>
        {headers.map(({ name, value }) => `${name}: ${value}\n`).join('')}
        {`\n${body}`}
      </pre>
    </figure>
  )
}
