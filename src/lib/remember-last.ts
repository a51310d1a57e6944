/** Answers the last question once more without thinking again: several rules ask the same of one event, and a flood is one text over and over. */
export function rememberLast<Answer>(answerTo: (question: string) => Answer): (question: string) => Answer {
  let last: { question: string; answer: Answer } | null = null
  return question => {
    if (last?.question !== question) last = { question, answer: answerTo(question) }
    return last.answer
  }
}
