import { Section } from '#ui/page-parts.tsx'
import styles from './late-section.module.css'

/**
 * Holds the place of a section that is read after the stack. It is as high as the section will be, so that little moves when it comes.
 * Without scripts it never does, and a link leads on.
 */
export function LateSection({ title, href }: { title: string; href?: string }) {
  return (
    <Section title={title}>
      <div className={styles.place} aria-busy="true" />
      {href ? (
        <noscript>
          <a className="link" href={href}>
            Open the {title.toLowerCase()}
          </a>
        </noscript>
      ) : null}
    </Section>
  )
}
