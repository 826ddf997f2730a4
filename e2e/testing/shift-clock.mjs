/**
 * Preloaded into the services (`NODE_OPTIONS=--import`): the first process of a service that starts has its wall clock
 * CLOCK_SHIFT_MS ahead, the others have it behind. CLOCK_SHIFT_FOLDER remembers who was first.
 */
import { openSync } from 'node:fs'
import { join } from 'node:path'

const { CLOCK_SHIFT_MS, CLOCK_SHIFT_FOLDER } = process.env
const service = /services\/([a-z-]+)\/dist\/main\.js$/.exec(process.argv[1] ?? '')?.[1]

if (service !== undefined && CLOCK_SHIFT_FOLDER !== undefined) {
  const shift = isFirst(join(CLOCK_SHIFT_FOLDER, service)) ? Number(CLOCK_SHIFT_MS) : -Number(CLOCK_SHIFT_MS)
  const now = () => RealDate.now() + shift
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new Date().toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}

/** @param {string} file */
function isFirst(file) {
  try {
    openSync(file, 'wx')
    return true
  } catch {
    return false
  }
}
