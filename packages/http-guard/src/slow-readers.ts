import type { Server, Socket } from 'node:net'

/** A client must receive this much on average over each window in which bytes wait for it. */
const BYTES_PER_SECOND = 16 * 1024
const WINDOW_MS = 10_000

/** Of a connection at the start of a window. */
interface Progress {
  sent: number
  isWaiting: boolean
}

/**
 * Closes the connections whose clients do not read what they asked for, whatever it is (rules.md#overload). Bytes that
 * the operating system has not accepted wait in the memory of this process. A response that is still being made makes
 * nobody slow, since nothing waits meanwhile.
 */
export function closeSlowReaders(server: Server, windowMs = WINDOW_MS): void {
  const connections = new Map<Socket, Progress>()
  const leastBytes = (BYTES_PER_SECOND * windowMs) / 1_000
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { sent: 0, isWaiting: false })
    socket.once('close', () => connections.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, before] of connections) {
      const sent = sentBytes(socket)
      const isWaiting = socket.writableLength > 0
      if (before.isWaiting && isWaiting && sent - before.sent < leastBytes) socket.destroy()
      else connections.set(socket, { sent, isWaiting })
    }
  }, windowMs).unref()
  server.once('close', () => clearInterval(timer))
}

/** Bytes that the operating system has accepted. */
export function sentBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}
