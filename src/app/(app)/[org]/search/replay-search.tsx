import { readSearch } from './read-search.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = {
  path: 'replays',
  label: 'Search replays',
  placeholder: 'click:button.pay, url:/checkout, user or errors:>0',
}

export const ReplaySearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="replays" reading={readSearch(props.typed, 'replays')} page={page} />
)
