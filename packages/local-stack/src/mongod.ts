import { mkdirSync } from 'node:fs'
import { mongoAnswers } from './answers.js'
import type { ProcessPlan } from './supervised-process.js'

/** A standalone mongod of the machine: the product needs no replica set. */
export function mongodPlan(place: { program: string; stateDir: string; port: number }, logFile: string): ProcessPlan {
  mkdirSync(place.stateDir, { recursive: true })
  return {
    name: 'mongod',
    command: place.program,
    args: ['--dbpath', place.stateDir, '--port', String(place.port), '--bind_ip', '127.0.0.1'],
    port: place.port,
    logFile,
    isReady: () => mongoAnswers(place.port),
    stopWithinMs: 5_000,
  }
}
