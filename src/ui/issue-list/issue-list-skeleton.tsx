const widths = ['52%', '38%', '61%', '44%', '57%', '35%', '48%', '41%']

/** Placeholder rows with the geometry of the list. */
export function IssueListSkeleton() {
  return (
    <div className="ilist" role="status" aria-label="Loading issues">
      <div className="ihead" aria-hidden="true" />
      {widths.map(width => (
        <div key={width} className="irow" aria-hidden="true">
          <span className="ckc" />
          <span className="sk" style={{ width: 12, height: 12, borderRadius: 6 }} />
          <span className="skel">
            <span className="sk" style={{ width }} />
            <span className="sk" style={{ width: '24%' }} />
          </span>
          <span className="st">
            <span className="sk" style={{ width: 72 }} />
          </span>
          <span className="tr">
            <span className="sk" style={{ width: 112 }} />
          </span>
          <span className="num ev">
            <span className="sk" style={{ width: 40, marginLeft: 'auto' }} />
          </span>
          <span className="us" />
          <span className="num when">
            <span className="sk" style={{ width: 56, marginLeft: 'auto' }} />
          </span>
          <span className="as" />
        </div>
      ))}
    </div>
  )
}
