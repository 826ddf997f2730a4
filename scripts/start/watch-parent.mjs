// @ts-check
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const EVERY_MS = 500
const SHELL = /^-?(.*\/)?(sh|bash|dash|ash|zsh|busybox)$/

/**
 * npm waits in front of this process, with a shell in between. When npm is killed without a chance to pass that on,
 * this process would be left behind: it notices that it, or the shell, was given another parent.
 * Started without npm, it may outlive the shell that started it.
 * @param {() => void} whenGone
 */
export function watchParent(whenGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const shell = describe(parent)
  const isGone = () =>
    process.ppid !== parent ||
    (shell !== undefined && SHELL.test(shell.command) && readParent(parent, shell.parent) !== shell.parent)
  const timer = setInterval(() => {
    if (!isGone()) return
    clearInterval(timer)
    whenGone()
  }, EVERY_MS)
  timer.unref()
}

/** @param {number} pid @returns {{command: string, parent: number} | undefined} */
function describe(pid) {
  if (process.platform === 'linux') {
    const parent = readParent(pid, 0)
    return parent === undefined ? undefined : { command: readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), parent }
  }
  const [, parent, command] =
    spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.match(
      /^\s*(\d+)\s+(.+?)\s*$/,
    ) ?? []
  return parent === undefined || command === undefined ? undefined : { command, parent: Number(parent) }
}

/**
 * The parent as it is now. Where there is no /proc: the parent it had, as long as that one lives.
 * @param {number} pid @param {number} had @returns {number | undefined}
 */
function readParent(pid, had) {
  try {
    if (process.platform !== 'linux') return process.kill(had, 0) ? had : undefined
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
