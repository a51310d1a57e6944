/** Saved views of lists. */
import type { Generated } from 'kysely'

export type ViewSchema = {
  saved_view: {
    id: Generated<number>
    organization_id: number
    user_id: string
    /** The path of the list, like `issues`. */
    list: string
    name: string
    /** The query of its URL. */
    query: string
    is_shared: 0 | 1
    position: number
    created_at: number
  }
  /** Which view a member opens a list with. */
  default_view: { user_id: string; organization_id: number; list: string; view_id: number }
}
