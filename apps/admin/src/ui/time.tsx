import { useEffect, useState } from 'react'
import { useFormats } from './use-formats.js'

/** How often a relative time is written anew, ms. */
const TICK_MS = 10_000

/** An instant: relative below 24 h, exact with its zone on hover. */
export function Time({ at }: { at: string | Date }) {
  const formats = useFormats()
  const now = useNow()
  const date = typeof at === 'string' ? new Date(at) : at
  return (
    <time dateTime={date.toISOString()} title={formats.exactTime(date)}>
      {formats.time(date, now)}
    </time>
  )
}

export function useNow(everyMs = TICK_MS): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
