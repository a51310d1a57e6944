/** What the scanner says about an envelope: where its items are, or what is wrong with it. */
import type { EnvelopeHeaders } from './parse-headers.ts'

export type ScanFaultCode =
  | 'empty'
  | 'invalid_header'
  | 'invalid_item_header'
  | 'no_items'
  | 'unexpected_end'
  | 'header_too_large'
  | 'item_too_large'
  | 'too_many_items'
  | 'envelope_too_large'

export type ScanFault = { code: ScanFaultCode; message: string; itemType: string | null }

/** Offsets count bytes from the envelope's start; `end` is the byte after the last. */
export type ScannedItem = {
  type: string
  itemCount: number | null
  isContainer: boolean
  headerStart: number
  headerEnd: number
  start: number
  end: number
}

export type ScanResult = {
  headers: EnvelopeHeaders | null
  items: ScannedItem[]
  sizeBytes: number
  fault: ScanFault | null
}
