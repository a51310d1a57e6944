import styles from './page.module.css'
import { Word } from './word.jsx'

/** What a dev server has to do at least for an edit of a style, a client component and a server component. */
export default function Edited() {
  return (
    <main className={styles.main}>
      <h1>Server component</h1>
      <Word />
    </main>
  )
}
