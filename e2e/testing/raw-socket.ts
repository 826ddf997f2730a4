import { connect, type Socket } from 'node:net'

/** The outcome of a raw connection. */
export interface Conversation {
  /** the received text */
  text: string
  /** bytes written before the connection ended */
  sent: number
  /** milliseconds until the server ended it; undefined when the client did */
  endedAfterMs: number | undefined
}

/**
 * Opens a connection, sends `head`, then the chunks of `next` with backpressure, until it returns undefined.
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
