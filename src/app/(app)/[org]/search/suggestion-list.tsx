import type { Suggestion } from './suggest.ts'

type Props = {
  id: string
  suggestions: Suggestion[]
  isOpen: boolean
  chosen: number
  onAccept: (suggestion: Suggestion) => void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** The suggestions under the search box. The input keeps focus and handles the keys. */
export function SuggestionList({ id, suggestions, isOpen, chosen, onAccept }: Props) {
  return (
    <div id={id} className="suggest" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
        <div
          key={suggestion.text}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <span className="cut">{suggestion.label}</span>
          <span className="t3">{suggestion.note}</span>
        </div>
      ))}
    </div>
  )
}
