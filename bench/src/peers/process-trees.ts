import { processTime, proportionalMb } from '../meters/processes.js'
import type { Part, RunningPeer } from './peer.js'

export type ByPart = Partial<Record<Part, number>>

/** @returns processor time of the peer so far, in ms */
export function processorTime(peer: RunningPeer): ByPart {
  return sumByPart(peer, processTime)
}

export interface PeakMemory {
  /** Stops sampling. @returns the largest sum of each part, in MB */
  stop(): ByPart
}

export function watchMemory(peer: RunningPeer, everyMs = 500): PeakMemory {
  const peaks: ByPart = {}
  const look = (): void => {
    for (const [part, mb] of Object.entries(sumByPart(peer, proportionalMb)) as Array<[Part, number]>)
      peaks[part] = Math.max(peaks[part] ?? 0, mb)
  }
  look()
  const timer = setInterval(look, everyMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peaks
    },
  }
}

function sumByPart(peer: RunningPeer, value: (pid: number) => number): ByPart {
  const sums: ByPart = {}
  for (const { part, pid } of peer.processes()) sums[part] = (sums[part] ?? 0) + value(pid)
  return sums
}
