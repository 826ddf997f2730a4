// @ts-check
const EVERY_MS = 1_000

/**
 * npm waits in front of this process. When npm is killed without a chance to pass that on, this process would be left
 * behind: it notices that it was given another parent. Started without npm, it may outlive the shell that started it.
 * @param {() => void} whenGone
 */
export function watchParent(whenGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    whenGone()
  }, EVERY_MS)
  timer.unref()
}
