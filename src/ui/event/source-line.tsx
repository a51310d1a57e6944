import type { SourceLine as Line } from './event-view.ts'

export function SourceLine({ line }: { line: Line }) {
  return (
    <div className={line.isHere ? 'l at' : 'l'}>
      <i>{line.number}</i>
      <span>
        {line.tokens
          ? line.tokens.map(({ text, look }, index) =>
              look ? (
                <span key={index} className={look}>
                  {text}
                </span>
              ) : (
                text
              ),
            )
          : line.text || ' '}
      </span>
    </div>
  )
}
