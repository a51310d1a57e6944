/** A share as a bar with its percentage. */
export function AdoptionBar({ share }: { share: number }) {
  const percent = share * 100
  const text = percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`
  return (
    <span className="adopt">
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, percent).toFixed(1)}%` }} />
      </span>
      <span className="fig">{text}</span>
    </span>
  )
}
