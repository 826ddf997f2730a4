import { connect, type Socket } from 'node:net'

/** What became of a connection that was written to by hand. */
export interface Conversation {
  /** all that came back */
  text: string
  /** bytes that were handed to the system before it ended */
  sent: number
  /** milliseconds until the other side ended it; undefined when we did */
  endedAfterMs: number | undefined
}

/**
 * Opens a connection, sends `head`, then asks `next` for more whenever there is room, until it gives none.
 * Resolves when the other side closes, or after `patienceMs`.
 */
export function converse(
  port: number,
  head: string,
  next: (sent: number) => Buffer | undefined,
  patienceMs: number,
  pauseMs = 0,
): Promise<Conversation> {
  return new Promise((resolve) => {
    const started = performance.now()
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let sent = 0
    let over = false
    const end = (endedAfterMs: number | undefined) => {
      if (over) return
      over = true
      clearTimeout(alarm)
      socket.destroy()
      resolve({ text, sent, endedAfterMs })
    }
    const alarm = setTimeout(() => end(undefined), patienceMs)
    socket.setEncoding('utf8').on('data', (part) => (text += String(part)))
    socket.on('error', () => undefined).once('close', () => end(performance.now() - started))
    socket.once('connect', () => {
      sent += Buffer.byteLength(head)
      socket.write(head)
      pump(socket)
    })
    const pump = (to: Socket) => {
      if (over || to.destroyed || !to.writable) return
      const part = next(sent)
      if (part === undefined) return
      sent += part.length
      const hasRoom = to.write(part)
      if (pauseMs > 0) setTimeout(() => pump(to), pauseMs)
      else if (hasRoom) setImmediate(() => pump(to))
      else to.once('drain', () => pump(to))
    }
  })
}
