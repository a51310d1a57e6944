import { CopyButton } from '../copy-button.tsx'
import { ScrollRegion } from '../page-parts.tsx'
import { colorCode } from './color-code.ts'

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="code">
      <ScrollRegion className="pre" label={label}>
        <pre>
          <code>
            {colorCode(code).map(({ text, look }, index) =>
              look ? (
                <span key={index} className={look}>
                  {text}
                </span>
              ) : (
                text
              ),
            )}
          </code>
        </pre>
      </ScrollRegion>
      <CopyButton text={code} />
    </div>
  )
}
