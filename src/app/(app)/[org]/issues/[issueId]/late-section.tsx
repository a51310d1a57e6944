import { Section } from '#ui/page-parts.tsx'
import styles from './late-section.module.css'

/**
 * Holds the place of a section that is read after the stack, about as high as the section will be, so that little moves when it comes.
 * Without scripts the section stands at the end of the page.
 */
export const LateSection = ({ title }: { title: string }) => (
  <div className={styles.late}>
    <Section title={title}>
      <div className={styles.place} aria-busy="true" />
    </Section>
  </div>
)
