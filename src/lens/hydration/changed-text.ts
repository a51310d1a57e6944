/** What differs between two fragments of HTML in the words that a visitor reads, widened to whole words. */
export type ChangedText = { server: string; client: string }

export function changedText(serverHtml: string, clientHtml: string): ChangedText {
  const [server, client] = [textOfHtml(serverHtml), textOfHtml(clientHtml)]
  const most = Math.min(server.length, client.length)
  let start = 0
  while (start < most && server[start] === client[start]) start++
  let end = 0
  while (end < most - start && server.at(-1 - end) === client.at(-1 - end)) end++
  while (start > 0 && isInWord(server[start - 1])) start--
  while (end > 0 && isInWord(server.at(-end))) end--
  return {
    server: server.slice(start, server.length - end).trim(),
    client: client.slice(start, client.length - end).trim(),
  }
}

/** Separators too: half of `1,234.5` or of `15:04` says nothing. */
const isInWord = (char: string | undefined): boolean => char !== undefined && /[^\s<>()"]/.test(char)

const tag = /<[^<>]{0,2000}>/g
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[^>]{0,200}-->/g, '')
    .replace(tag, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (all, name: string) => entities[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim()
}

/** The first piece of text, between two tags, that is another one on the other side: a phrase that people know from the page. */
export function changedPhrase(serverHtml: string, clientHtml: string): ChangedText {
  const [server, client] = [piecesOf(serverHtml), piecesOf(clientHtml)]
  const at = server.findIndex((piece, index) => piece !== client[index])
  const first = at === -1 ? server.length : at
  return { server: server[first] ?? '', client: client[first] ?? '' }
}

const piecesOf = (html: string): string[] =>
  html
    .replace(/<!--[^>]{0,200}-->/g, '')
    .split(tag)
    .map(textOfHtml)
    .filter(piece => piece !== '')
