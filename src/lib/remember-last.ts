/** Answers the last question once more without thinking again: several rules ask the same of one event, and a flood is one text over and over. */
export function rememberLast<Answer>(answerTo: (query: string) => Answer): (query: string) => Answer {
  let last: { query: string; answer: Answer } | null = null
  return query => {
    if (last?.query !== query) last = { query, answer: answerTo(query) }
    return last.answer
  }
}
