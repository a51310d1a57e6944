/** Requests of chats and pagers as the cards that these show. */
import { isObject, numberOf, objectOf, textOf } from '#lib/json-value.ts'
import type { Block, Drawing, Line } from './drawing.ts'
import { readHtml, readMarkdown, readPlain, readSlack } from './read-markup.ts'

type Json = Record<string, unknown>
type Card = Extract<Drawing, { kind: 'card' }>

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const firstOf = (value: unknown): Json => listOf(value)[0] ?? {}
const title = (text: string, href = ''): Block => ({ kind: 'title', line: [href === '' ? { text } : { text, href }] })
const words = (lines: Line[], isQuiet = false): Block[] =>
  lines.every(line => line.length === 0) ? [] : [{ kind: 'text', lines, ...(isQuiet ? { isQuiet } : {}) }]
const facts = (given: { label: string; value: string }[]): Block[] =>
  given.length === 0 ? [] : [{ kind: 'facts', facts: given }]
const buttons = (labels: string[]): Block[] => (labels.length === 0 ? [] : [{ kind: 'buttons', labels }])
const plainOf = (lines: Line[]): string => lines.map(line => line.map(({ text }) => text).join('')).join(' ')

const slackBlock = (block: Json): Block[] => {
  const { type, text, fields, elements } = block
  if (type === 'header') return [title(textOf(objectOf(text)?.text))]
  if (type === 'actions') return buttons(listOf(elements).map(each => textOf(objectOf(each.text)?.text)))
  if (type === 'context')
    return words(
      listOf(elements).flatMap(each => readSlack(textOf(each.text))),
      true,
    )
  if (Array.isArray(fields))
    return facts(
      listOf(fields).map(field => {
        const [label = [], ...value] = readSlack(textOf(field.text))
        return { label: plainOf([label]), value: plainOf(value) }
      }),
    )
  return words(readSlack(textOf(objectOf(text)?.text)))
}

function drawSlack(body: Json): Card {
  const attachment = firstOf(body.attachments)
  const color = textOf(attachment.color)
  if (Array.isArray(attachment.blocks))
    return { kind: 'card', look: 'slack', color, blocks: listOf(attachment.blocks).flatMap(slackBlock) }
  const { title: heading, title_link: url, text, fields, footer } = attachment
  return {
    kind: 'card',
    look: 'mattermost',
    color,
    blocks: [
      title(textOf(heading), textOf(url)),
      ...words(readMarkdown(textOf(text))),
      ...facts(listOf(fields).map(field => ({ label: textOf(field.title), value: textOf(field.value) }))),
      ...words(readPlain(textOf(footer)), true),
    ],
  }
}

function drawDiscord(body: Json): Card {
  const { title: heading, url, description, fields, footer, color } = firstOf(body.embeds)
  const plain = (value: unknown): string => plainOf(readMarkdown(textOf(value)))
  return {
    kind: 'card',
    look: 'discord',
    color: `#${(numberOf(color) ?? 0).toString(16).padStart(6, '0')}`,
    blocks: [
      title(textOf(heading), textOf(url)),
      ...words(readMarkdown(textOf(description))),
      ...facts(listOf(fields).map(({ name, value }) => ({ label: plain(name), value: plain(value) }))),
      ...words(readPlain(textOf(objectOf(footer)?.text)), true),
    ],
  }
}

const teamsColors: Record<string, string> = { Attention: '#c4314b', Warning: '#c19c00', Good: '#237b4b' }

const teamsBlock = (item: Json): Block[] => {
  if (item.type === 'FactSet')
    return facts(listOf(item.facts).map(fact => ({ label: textOf(fact.title), value: textOf(fact.value) })))
  const text = textOf(item.text)
  if (item.style === 'heading') return [title(text)]
  if (item.fontType === 'Monospace') return words([[{ text, look: 'code' }]])
  return words(readMarkdown(text), item.isSubtle === true)
}

function drawTeams(body: Json): Card {
  const card = objectOf(firstOf(body.attachments).content) ?? {}
  const items = listOf(card.body)
  return {
    kind: 'card',
    look: 'teams',
    color: teamsColors[textOf(items[0]?.color)] ?? '#6264a7',
    blocks: [...items.flatMap(teamsBlock), ...buttons(listOf(card.actions).map(action => textOf(action.title)))],
  }
}

const googleWidget = (widget: Json): Block[] => {
  const paragraph = objectOf(widget.textParagraph)
  if (paragraph) return words(readHtml(textOf(paragraph.text)))
  const decorated = objectOf(widget.decoratedText)
  if (decorated) return facts([{ label: textOf(decorated.topLabel), value: plainOf(readHtml(textOf(decorated.text))) }])
  return buttons(listOf(objectOf(widget.buttonList)?.buttons).map(button => textOf(button.text)))
}

function drawGoogleChat(body: Json): Card {
  const card = objectOf(firstOf(body.cardsV2).card) ?? {}
  const header = objectOf(card.header) ?? {}
  return {
    kind: 'card',
    look: 'google-chat',
    color: '',
    blocks: [
      title(textOf(header.title)),
      ...words(readPlain(textOf(header.subtitle)), true),
      ...listOf(card.sections).flatMap(section => listOf(section.widgets).flatMap(googleWidget)),
    ],
  }
}

const drawTelegram = (body: Json): Card => ({
  kind: 'card',
  look: 'telegram',
  color: '',
  blocks: words(readHtml(textOf(body.text))),
})

const drawNtfy = (body: Json): Card => ({
  kind: 'card',
  look: 'ntfy',
  color: '',
  blocks: [
    title(textOf(body.title)),
    ...words(readPlain(textOf(body.message))),
    ...words([[{ text: `Priority ${numberOf(body.priority) ?? 3} of 5` }]], true),
    ...buttons(listOf(body.actions).map(action => textOf(action.label))),
  ],
})

const pagerColors: Record<string, string> = { critical: '#d33f2f', warning: '#d98b12', info: '#1b6a80' }

function drawPager(body: Json): Card {
  const payload = objectOf(body.payload)
  const isOver = body.event_action === 'resolve'
  const details = objectOf(payload?.custom_details) ?? {}
  return {
    kind: 'card',
    look: 'pagerduty',
    color: isOver ? '#2f9e63' : (pagerColors[textOf(payload?.severity)] ?? ''),
    blocks: [
      title(isOver ? 'Resolves the alert' : textOf(payload?.summary)),
      ...facts([
        ...(isOver ? [] : [{ label: 'Severity', value: textOf(payload?.severity) }]),
        ...(isOver ? [] : [{ label: 'Source', value: textOf(payload?.source) }]),
        { label: 'Alert key', value: textOf(body.dedup_key) },
        ...Object.entries(details)
          .filter(([label]) => label !== 'id')
          .map(([label, value]) => ({ label, value: textOf(value) })),
      ]),
      ...buttons(listOf(body.links).map(link => textOf(link.text))),
    ],
  }
}

export const cardDrawers: Readonly<Record<string, (body: Json) => Card>> = {
  slack: drawSlack,
  discord: drawDiscord,
  teams: drawTeams,
  'google-chat': drawGoogleChat,
  telegram: drawTelegram,
  ntfy: drawNtfy,
  pagerduty: drawPager,
}
