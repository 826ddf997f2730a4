import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { findProgram } from './find-program.ts'

/**
 * Children must not outlive this process, even when it is killed. On Linux the kernel sends each child a signal when
 * its parent dies (`setpriv --pdeathsig`). Without setpriv, one small watcher process has the other end of a pipe and
 * kills the children when the pipe closes.
 */
const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined

/** If the parent dies between fork and setpriv, the signal never arrives, so the child must not start. */
const PARENT_STILL_THERE = '[ "$PPID" = "$0" ] || exit 1; exec "$@"'

const WATCHER = `
const pids = new Set()
require('readline').createInterface({ input: process.stdin })
  .on('line', (line) => { const pid = Number(line.slice(1)); line[0] === '+' ? pids.add(pid) : pids.delete(pid) })
  .on('close', () => { for (const pid of pids) { try { process.kill(pid, 'SIGKILL') } catch {} } process.exit() })
`

export interface CommandLine {
  command: string
  args: string[]
}

/** The same command, killed together with this process where the system supports it. */
export function killedWithParent(line: CommandLine, signal: 'KILL' | 'QUIT' = 'KILL'): CommandLine {
  if (setpriv === undefined) return line
  return {
    command: setpriv,
    args: ['--pdeathsig', signal, 'sh', '-c', PARENT_STILL_THERE, String(process.pid), line.command, ...line.args],
  }
}

/** Watches a child that `killedWithParent` could not bind to this process; else does nothing. */
export function watchChild(child: ChildProcess): void {
  if (setpriv === undefined) registerWithWatcher(child)
}

let watcher: ChildProcess | undefined

/** Passes the pid of a child to the watcher process until the child exits. */
export function registerWithWatcher(child: ChildProcess): void {
  watcher ??= startWatcher()
  const pid = child.pid
  if (pid === undefined) return
  const { stdin } = watcher
  stdin?.write(`+${pid}\n`)
  child.once('exit', () => stdin?.write(`-${pid}\n`))
}

function startWatcher(): ChildProcess {
  const child = spawn(process.execPath, ['-e', WATCHER], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.unref()
  child.stdin?.on('error', () => undefined)
  if (child.stdin instanceof Socket) child.stdin.unref()
  return child
}
