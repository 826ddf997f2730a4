// @ts-check
/**
 * What the global setups of this Jest process started, each once, also over the runs of one watch. @type {Map<string,
 * Promise<() => Promise<void>>>}
 */
const started = new Map()

/** @param {string} name @param {() => Promise<() => Promise<void>>} start resolves with the function that stops it */
export async function startOnce(name, start) {
  if (!started.has(name)) started.set(name, start())
  await started.get(name)
}

/**
 * Jest's globalTeardown. In watch mode everything stays for the next run and ends with Jest.
 * @param {{ watch: boolean, watchAll: boolean }} config
 */
export default async function stopStarted({ watch, watchAll }) {
  if (watch || watchAll) return
  const stops = [...started.values()]
  started.clear()
  for (const stop of stops) await (await stop)()
}
