'use client'
import { logFields } from '#search/log-fields.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = { path: 'logs', label: 'Search log lines', placeholder: 'level:>=warn, attribute:value or words' }

export const LogSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="logs" table={logFields} page={page} />
)
