/** On a terminal one line that fills; elsewhere a line now and then, so that a log stays readable. */
export type ProgressBar = { add(rows: number): void; finish(): void }

const width = 30
const plainEveryMs = 5_000

export function openProgressBar(totalRows: number, write: (text: string) => void, isTerminal: boolean): ProgressBar {
  const begun = performance.now()
  let done = 0
  let drawnAt = 0
  const draw = (): void => {
    const share = totalRows === 0 ? 1 : done / totalRows
    const perSecond = done / Math.max(0.001, (performance.now() - begun) / 1e3)
    const leftSeconds = perSecond === 0 ? 0 : (totalRows - done) / perSecond
    const figures = `${Math.floor(share * 100)} %  ${count(done)} of ${count(totalRows)} rows  ${count(perSecond)}/s  ${Math.ceil(leftSeconds)} s left`
    const filled = Math.min(width, Math.round(share * width))
    write(isTerminal ? `\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${figures}` : `${figures}\n`)
    drawnAt = performance.now()
  }
  return {
    add: rows => {
      done += rows
      if (performance.now() - drawnAt > (isTerminal ? 100 : plainEveryMs)) draw()
    },
    finish: () => {
      draw()
      if (isTerminal) write('\n')
    },
  }
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US')
