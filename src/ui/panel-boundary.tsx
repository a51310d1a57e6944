'use client'
import { Component, type ReactNode } from 'react'
import { Blank } from './blank.tsx'

type Props = { what: string; onFault?: (error: unknown) => void; children: ReactNode }
type State = { reference: string | null }

/** Catches errors of one panel. The reference is the digest of a server error, else a random one. */
export class PanelBoundary extends Component<Props, State> {
  override state: State = { reference: null }

  static getDerivedStateFromError(error: unknown): State {
    const digest = error instanceof Error && 'digest' in error ? String(error.digest) : ''
    return { reference: digest || `page_${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(16)}` }
  }

  override componentDidCatch(error: unknown) {
    this.props.onFault?.(error)
  }

  override render() {
    if (this.state.reference === null) return this.props.children
    return (
      <div className="pane" role="alert">
        <Blank
          title={`${this.props.what} could not be displayed`}
          actions={
            <button type="button" className="btn" onClick={() => this.setState({ reference: null })}>
              Try again
            </button>
          }
          reference={`Reference: ${this.state.reference}`}
        />
      </div>
    )
  }
}
